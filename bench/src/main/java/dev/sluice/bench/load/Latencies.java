package dev.sluice.bench.load;

import java.util.Arrays;

/** Times of answers, kept one by one: a run has a few million at most. */
public final class Latencies {
    private long[] nanos = new long[1024];
    private int count;

    void add(long value) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, count * 2);
        }
        nanos[count++] = value;
    }

    /** Forgets what was before, for example the warm-up. */
    public void clear() {
        count = 0;
    }

    /** @param quantile 0 to 1 */
    public double micros(double quantile) {
        if (count == 0) {
            throw new IllegalStateException("nothing was answered");
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(count - 1L, Math.round(quantile * count))] / 1e3;
    }
}
