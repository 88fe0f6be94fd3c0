package dev.sluice.admission;

import java.time.Duration;
import java.util.List;

/** How long a task may wait, by the policies of its scopes and its own wish. */
final class Deadlines {
    private final Book book;

    Deadlines(Book book) {
        this.book = book;
    }

    /** Ledger nanoseconds; {@link Long#MAX_VALUE} for never. */
    long of(Ask ask, long enqueuedAt) {
        return of(ask, book.binding(ask, 0), enqueuedAt);
    }

    /** @param binding any queue of {@code ask}: it remembers how long its policies let a synchronous task wait */
    long of(Ask ask, Binding binding, long enqueuedAt) {
        long wait = ask.isSync()
                ? syncWait(binding)
                : book.policies.queueing().asyncMaxWait().toNanos();
        wait = switch (ask.maxWait()) {
            case MaxWait.Inherit any -> wait;
            case MaxWait.DoNotQueue any -> Math.min(wait, 1);
            case MaxWait.AtMost most -> Math.min(wait, nanos(most.bound()));
        };
        return wait == Long.MAX_VALUE ? Long.MAX_VALUE : saturatingAdd(enqueuedAt, wait);
    }

    /** The smallest max-wait of the scopes that have a queue; where none has one, only a provider can be waited for. */
    private long syncWait(Binding binding) {
        if (binding.syncWait == 0) {
            binding.syncWait = findSyncWait(binding);
        }
        return binding.syncWait;
    }

    private long findSyncWait(Binding binding) {
        long smallest = Long.MAX_VALUE;
        for (ScopeState scope : binding.scopes) {
            smallest = Math.min(smallest, queueWait(scope));
        }
        RouteState route = binding.route;
        List<RouteState.Entry> entries = route == null ? List.of() : route.entries;
        for (RouteState.Entry entry : entries) {
            smallest = Math.min(smallest, queueWait(entry.platformModel()));
        }
        if (smallest != Long.MAX_VALUE) {
            return smallest;
        }
        if (route == null) {
            return nanos(ScopePolicy.DEFAULT_MAX_WAIT);
        }
        Duration timeout = dispatch(route).queueTimeout();
        return timeout.isZero() ? Long.MAX_VALUE : nanos(timeout);
    }

    DispatchPolicy dispatch(RouteState route) {
        return route.policy.dispatch().orElse(book.policies.queueing().dispatch());
    }

    private static long queueWait(ScopeState scope) {
        return scope.policy.hasQueue() ? nanos(scope.policy.maxWait()) : Long.MAX_VALUE;
    }

    private static long nanos(Duration duration) {
        // A wait of more than a century is "never".
        return duration.compareTo(Duration.ofDays(36_500)) > 0 ? Long.MAX_VALUE : duration.toNanos();
    }

    private static long saturatingAdd(long a, long b) {
        long sum = a + b;
        return sum < a ? Long.MAX_VALUE : sum;
    }
}
