package dev.sluice.admission;

/** Totals since the engine started; they only grow. */
public record Totals(
        long admitted,
        long rejectedQueueFull,
        long rejectedConcurrency,
        long rejectedOther,
        long evictedTimeout,
        long evictedCancelled,
        long evictedWaiterLost,
        long evictedOther,
        long leasesExpired) {}
