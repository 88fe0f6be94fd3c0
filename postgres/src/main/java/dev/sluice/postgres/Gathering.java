package dev.sluice.postgres;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Fills a batch a little longer while callers who were just answered come back with their next question: a commit costs
 * several times what waiting for them does. Where they do not come back, as when real work follows an admission, it
 * notices and rarely waits.
 */
final class Gathering {
    private static final long NANOS_MAX = TimeUnit.MICROSECONDS.toNanos(100);
    private static final int LOOKS_MAX = 200;
    private static final int SKIPPED_MAX = 256;

    private final Inbox inbox;
    private final LongSupplier monotonic;
    private int answered;
    private int toSkip;
    private int skipped;

    Gathering(Inbox inbox, LongSupplier monotonic) {
        this.inbox = inbox;
        this.monotonic = monotonic;
    }

    /** A batch of so many operations was answered. */
    void answered(int ops) {
        answered = ops;
    }

    /** Adds to a batch that others wait for already. */
    @SuppressWarnings("ThreadPriorityCheck") // Yielding only hints; what it waits for is bounded by looks and time.
    void fill(List<Op<?>> ops, int most) {
        int expected = answered;
        answered = 0;
        int before = ops.size();
        if (expected < 2 || before == 0 || before >= most || ops.getFirst().isAlone()) {
            return;
        }
        if (skipped < toSkip) {
            skipped++;
            return;
        }
        int wanted = Math.min(most, before + expected);
        long end = monotonic.getAsLong() + NANOS_MAX;
        for (int look = 0; look < LOOKS_MAX && ops.size() < wanted && monotonic.getAsLong() < end; look++) {
            Thread.yield();
            inbox.drain(ops, wanted);
        }
        boolean worthwhile = ops.size() - before >= (expected + 1) / 2;
        toSkip = worthwhile ? 0 : Math.min(SKIPPED_MAX, 2 * toSkip + 1);
        skipped = 0;
    }
}
