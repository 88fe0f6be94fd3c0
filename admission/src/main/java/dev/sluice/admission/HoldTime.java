package dev.sluice.admission;

/**
 * How long leases of one scope are held, as a moving mean over about the last 32. What is held now, divided by this,
 * is the rate at which the scope drains while it is saturated; unlike a count of releases it does not fall when nobody
 * asks.
 */
final class HoldTime {
    private static final double WEIGHT = 1.0 / 32;

    private double meanNanos;
    private int seen;

    void observe(long nanos) {
        // The plain mean of the first 32, then exponential.
        double weight = WEIGHT;
        if (seen < 32) {
            seen++;
            weight = 1.0 / seen;
        }
        meanNanos += weight * (Math.max(nanos, 1) - meanNanos);
    }

    boolean isKnown() {
        return seen > 0;
    }

    double meanNanos() {
        return meanNanos;
    }
}
