package dev.sluice.bench.seedpg;

import java.util.List;

/** admissionScopeState, lines 953-959, and the tests on it. */
record ScopeState(SeedScope scope, double active, int waiting, boolean saturated) {
    ScopeState withoutOwnWaiter() {
        return new ScopeState(scope, active, waiting - 1, saturated);
    }

    /** validateNewAdmissionCapacity, lines 405-425. */
    static void validateNew(List<ScopeState> states) throws SeedRefusal {
        boolean mustWait = false;
        for (ScopeState state : states) {
            if (!state.saturated) {
                continue;
            }
            mustWait = true;
            if (state.scope.queueLimit() <= 0) {
                throw state.concurrencyRefusal();
            }
        }
        if (!mustWait) {
            return;
        }
        for (ScopeState state : states) {
            if (state.scope.queueLimit() > 0 && state.waiting >= state.scope.queueLimit()) {
                throw state.queueFullRefusal();
            }
        }
    }

    /** validateQueuedAdmissionCapacity, lines 427-447. */
    static void validateQueued(List<ScopeState> states) throws SeedRefusal {
        for (ScopeState state : states) {
            double limit = state.scope.concurrentLimit();
            if (limit <= 0) {
                continue;
            }
            double virtualUsage = state.active + state.waiting * state.scope.amount() + state.scope.amount();
            if (virtualUsage <= limit) {
                continue;
            }
            if (state.scope.queueLimit() <= 0) {
                throw state.concurrencyRefusal();
            }
            if (Math.ceil(virtualUsage - limit) > state.scope.queueLimit()) {
                throw state.queueFullRefusal();
            }
        }
    }

    /** concurrencyAdmissionError, lines 1037-1055. */
    private SeedRefusal concurrencyRefusal() {
        return new SeedRefusal(
                SeedRefusal.Kind.CONCURRENT, "concurrency limit is saturated and queueing is disabled: " + scope);
    }

    /** queueFullAdmissionError, lines 1057-1078. */
    private SeedRefusal queueFullRefusal() {
        return new SeedRefusal(SeedRefusal.Kind.QUEUE_FULL, "task admission queue is full: " + scope);
    }
}
