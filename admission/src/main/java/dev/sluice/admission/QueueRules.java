package dev.sluice.admission;

import org.jspecify.annotations.Nullable;

/** Whether a task that cannot run now may wait. */
final class QueueRules {
    private final Book book;
    private final Deadlines deadlines;
    private final Refusals refusals;

    QueueRules(Book book, Deadlines deadlines, Refusals refusals) {
        this.book = book;
        this.deadlines = deadlines;
        this.refusals = refusals;
    }

    /** The answer to a task that must wait. */
    sealed interface Verdict permits Verdict.MayWait, Verdict.Refused {
        /**
         * @param bound the platform model whose queue it counts in; null without a route
         */
        record MayWait(@Nullable Scope bound, boolean dispatchOnly) implements Verdict {}

        record Refused(Refusal refusal) implements Verdict {}
    }

    /**
     * What no waiting could cure: an unknown route, no possible provider, an amount above a limit.
     *
     * @param scopes those of the demands
     */
    @Nullable
    Refusal impossible(Ask ask, ScopeState[] scopes) {
        for (int i = 0; i < scopes.length; i++) {
            long amount = ask.demands().get(i).amount();
            if (isUnsatisfiable(scopes[i], amount)) {
                return refusals.unsatisfiable(ask, scopes[i], amount);
            }
        }
        return ask.routing().isEmpty() ? null : impossible(ask, ask.routing().get());
    }

    private @Nullable Refusal impossible(Ask ask, Routing routing) {
        RouteState route = book.routes.get(routing.route());
        if (route == null) {
            return refusals.ofRoute(ask, routing, Refusal.Reason.UNKNOWN_ROUTE);
        }
        if (!route.isPossible(routing.avoided())) {
            return refusals.ofRoute(ask, routing, Refusal.Reason.NO_CAPACITY);
        }
        for (RouteState.Entry entry : route.entries) {
            if (!isUnsatisfiable(entry.platformModel(), routing.amount())) {
                return null;
            }
        }
        return refusals.unsatisfiable(ask, route.entries.getFirst().platformModel(), routing.amount());
    }

    private static boolean isUnsatisfiable(ScopeState scope, long amount) {
        return scope.isLimited() && amount > scope.limit;
    }

    /**
     * @param node not in any queue now, but with the order it would have
     * @param scopes those of its demands
     * @param reason why it cannot run now
     * @param blocker the first scope it would watch
     */
    Verdict mayWait(Node node, ScopeState[] scopes, WaitReason reason, ScopeState blocker) {
        Ask ask = node.row.ask();
        if (ask.maxWait() instanceof MaxWait.DoNotQueue) {
            return refuse(refusals.noRoom(ask, blocker, amountAt(ask, blocker)));
        }
        for (int i = 0; i < scopes.length; i++) {
            Refusal refusal = test(node, scopes[i], ask.demands().get(i).amount());
            if (refusal != null) {
                return refuse(refusal);
            }
        }
        if (ask.routing().isEmpty()) {
            return new Verdict.MayWait(null, false);
        }
        return mayWaitOnRoute(node, ask.routing().get(), reason);
    }

    /** It counts as waiting in the first entry whose queue accepts it. */
    private Verdict mayWaitOnRoute(Node node, Routing routing, WaitReason reason) {
        RouteState route = book.routes.get(routing.route());
        if (route == null) {
            return refuse(refusals.ofRoute(node.row.ask(), routing, Refusal.Reason.UNKNOWN_ROUTE));
        }
        Refusal first = null;
        for (RouteState.Entry entry : route.entries) {
            ScopeState scope = entry.platformModel();
            if (isUnsatisfiable(scope, routing.amount()) || !entry.isPossible(routing.avoided())) {
                continue;
            }
            Refusal refusal = test(node, scope, routing.amount());
            if (refusal == null) {
                return mayDispatch(node, route, scope, reason);
            }
            first = first == null ? refusal : first;
        }
        return refuse(first == null ? refusals.ofRoute(node.row.ask(), routing, Refusal.Reason.NO_CAPACITY) : first);
    }

    private Verdict mayDispatch(Node node, RouteState route, ScopeState bound, WaitReason reason) {
        boolean dispatchOnly = node.row.ask().isSync()
                && switch (reason.kind()) {
                    case CAPACITY_FULL, CAPACITY_RESERVED, LONG_CONTEXT_CAPACITY_FULL, NO_LIVE_PROVIDER -> true;
                    case SCOPE, BEHIND_OTHERS, DETACHED -> false;
                };
        if (dispatchOnly) {
            int waiting = route.policy.dispatch().isPresent() ? route.dispatchWaiting : sharedDispatchWaiting();
            int most = deadlines.dispatch(route).maxQueue();
            if (waiting >= most) {
                return refuse(refusals.dispatchFull(node.row.ask(), route, waiting, most));
            }
        }
        return new Verdict.MayWait(bound.scope, dispatchOnly);
    }

    /** Those who wait for a provider on any route without a dispatch queue of its own. */
    private int sharedDispatchWaiting() {
        int waiting = 0;
        for (RouteState route : book.routes.values()) {
            waiting += route.policy.dispatch().isPresent() ? 0 : route.dispatchWaiting;
        }
        return waiting;
    }

    private @Nullable Refusal test(Node node, ScopeState scope, long amount) {
        return node.row.ask().isSync() ? testSync(node, scope, amount) : testAsync(node, scope, amount);
    }

    private @Nullable Refusal testSync(Node node, ScopeState scope, long amount) {
        if (scope.policy.hasQueue()) {
            return scope.waiting() >= scope.policy.queueLimit()
                    ? refusals.queueFull(node.row.ask(), scope, amount)
                    : null;
        }
        boolean waitsForIt = !scope.hasRoom(amount, node) || scope.lacksRoomForOneBefore(node);
        return scope.isLimited() && waitsForIt ? refusals.noRoom(node.row.ask(), scope, amount) : null;
    }

    /**
     * Asynchronous tasks register before they hold anything, so all that wait count as if they ran: a burst cannot
     * pass the limit and the queue before the first of them starts.
     */
    private @Nullable Refusal testAsync(Node node, ScopeState scope, long amount) {
        if (!scope.isLimited() || (scope.scope.type().equals(Scope.WORKER_CAPACITY) && !scope.policy.hasQueue())) {
            return null;
        }
        long over = scope.active + scope.waitingAmount + amount - scope.limit;
        if (over <= 0) {
            return null;
        }
        if (!scope.policy.hasQueue()) {
            return refusals.noRoom(node.row.ask(), scope, amount);
        }
        long depth = Math.ceilDiv(over, Amount.ONE);
        return depth > scope.policy.queueLimit() ? refusals.queueFull(node.row.ask(), scope, amount) : null;
    }

    private static long amountAt(Ask ask, ScopeState scope) {
        for (Demand demand : ask.demands()) {
            if (demand.scope().equals(scope.scope)) {
                return demand.amount();
            }
        }
        return scope.scope.type().equals(Scope.PLATFORM_MODEL)
                ? ask.routing().map(Routing::amount).orElse(Amount.ONE)
                : Amount.ONE;
    }

    private static Verdict refuse(Refusal refusal) {
        return new Verdict.Refused(refusal);
    }
}
