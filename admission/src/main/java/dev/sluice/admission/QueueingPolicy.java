package dev.sluice.admission;

import java.time.Duration;

/**
 * The rules that are not a scope's own.
 *
 * @param maxOvertakes after so many counted overtakes a blocked task sets aside its own amount, at least 1
 * @param asyncMaxWait deadline of an asynchronous task, more than zero
 * @param waiterLease how long a silent waiter keeps its place, more than zero
 * @param dispatch for routes without their own
 */
public record QueueingPolicy(
        Ordering ordering, int maxOvertakes, Duration asyncMaxWait, Duration waiterLease, DispatchPolicy dispatch) {
    public static final QueueingPolicy DEFAULT = new QueueingPolicy(
            Ordering.WORK_CONSERVING, 64, Duration.ofHours(24), Duration.ofSeconds(15), DispatchPolicy.DEFAULT);

    public QueueingPolicy {
        if (maxOvertakes < 1 || !asyncMaxWait.isPositive() || !waiterLease.isPositive()) {
            throw new IllegalArgumentException("max-overtakes must be at least 1, waits must be more than zero");
        }
    }

    /** The same, in another order. */
    public QueueingPolicy ordering(Ordering chosen) {
        return new QueueingPolicy(chosen, maxOvertakes, asyncMaxWait, waiterLease, dispatch);
    }

    /** The same, with another bound of counted overtakes, at least 1. */
    public QueueingPolicy maxOvertakes(int count) {
        return new QueueingPolicy(ordering, count, asyncMaxWait, waiterLease, dispatch);
    }

    /** The same, with other rules for tasks that wait for a provider only. */
    public QueueingPolicy dispatch(DispatchPolicy policy) {
        return new QueueingPolicy(ordering, maxOvertakes, asyncMaxWait, waiterLease, policy);
    }
}
