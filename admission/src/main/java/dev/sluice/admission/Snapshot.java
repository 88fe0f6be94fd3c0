package dev.sluice.admission;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Counts at one instant. A task whose deadline or waiter lease has passed never counts.
 *
 * @param oldestWait zero if nobody waits
 * @param scopes sorted; every scope with a policy, usage or waiters
 * @param providers sorted by id
 */
public record Snapshot(
        int waitingSync,
        int waitingAsync,
        Duration oldestWait,
        int expiredWaiterBacklog,
        int expiredDeadlineBacklog,
        List<ScopeView> scopes,
        List<ProviderView> providers) {
    /** Everyone who waits. */
    public int queueDepth() {
        return waitingSync + waitingAsync;
    }

    /** A scope, if it has a policy, usage or waiters. */
    public Optional<ScopeView> scope(Scope scope) {
        return scopes.stream().filter(view -> view.scope().equals(scope)).findFirst();
    }

    /** A provider, if it is configured or something runs on it. */
    public Optional<ProviderView> provider(String id) {
        return providers.stream().filter(view -> view.id().equals(id)).findFirst();
    }

    /**
     * One scope.
     *
     * @param limit thousandths, 0 for unlimited
     * @param active thousandths held
     * @param waitingSync synchronous tasks that wait and carry the scope
     * @param waitingAsync asynchronous ones
     */
    public record ScopeView(Scope scope, long limit, long active, int waitingSync, int waitingAsync, int queueLimit) {
        public int waiting() {
            return waitingSync + waitingAsync;
        }
    }

    /**
     * One provider; one that left the configuration is listed while something still runs on it.
     *
     * @param waiting tasks that could run on it and wait
     */
    public record ProviderView(
            String id,
            int capacity,
            int longCapacity,
            Reserve reserve,
            int inFlight,
            int longInFlight,
            boolean enabled,
            boolean up,
            ProviderState state,
            int waiting) {}
}
