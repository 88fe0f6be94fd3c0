package dev.sluice.admission;

import org.jspecify.annotations.Nullable;

/** Counts decisions for {@link Totals}. */
final class Tally {
    private long admitted;
    private long rejectedQueueFull;
    private long rejectedConcurrency;
    private long rejectedOther;
    private long evictedTimeout;
    private long evictedCancelled;
    private long evictedWaiterLost;
    private long evictedOther;
    private long leasesExpired;

    void count(Change.Cause cause, @Nullable Evicted evicted) {
        switch (cause) {
            case ADMITTED, MOVED -> admitted++;
            case EXPIRED -> leasesExpired++;
            case EVICTED -> countEviction(evicted);
            default -> {
                // nothing that Totals shows
            }
        }
    }

    private void countEviction(@Nullable Evicted evicted) {
        switch (evicted == null ? Eviction.OPERATOR : evicted.reason()) {
            case QUEUE_TIMEOUT -> evictedTimeout++;
            case CANCELLED -> evictedCancelled++;
            case WAITER_LOST -> evictedWaiterLost++;
            default -> evictedOther++;
        }
    }

    void count(Refusal refusal) {
        switch (refusal.reason()) {
            case QUEUE_FULL -> rejectedQueueFull++;
            case CONCURRENCY_LIMIT_EXCEEDED -> rejectedConcurrency++;
            default -> rejectedOther++;
        }
    }

    /** Back to earlier totals, when decisions are taken back. */
    void reset(Totals earlier) {
        admitted = earlier.admitted();
        rejectedQueueFull = earlier.rejectedQueueFull();
        rejectedConcurrency = earlier.rejectedConcurrency();
        rejectedOther = earlier.rejectedOther();
        evictedTimeout = earlier.evictedTimeout();
        evictedCancelled = earlier.evictedCancelled();
        evictedWaiterLost = earlier.evictedWaiterLost();
        evictedOther = earlier.evictedOther();
        leasesExpired = earlier.leasesExpired();
    }

    Totals totals() {
        return new Totals(
                admitted,
                rejectedQueueFull,
                rejectedConcurrency,
                rejectedOther,
                evictedTimeout,
                evictedCancelled,
                evictedWaiterLost,
                evictedOther,
                leasesExpired);
    }
}
