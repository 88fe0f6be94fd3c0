package dev.sluice.postgres;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * When to let another busy process have the ledger. If two took it in turn for one batch each, every batch would begin by
 * reading what the other has just decided, with a round trip more under the lock and half the callers in it. So one that
 * was overtaken lets the other go on for a moment, and then takes the lock; from then on it writes batch after batch until
 * it is overtaken itself. It waits only for one who was seen to use the time, and only if it has just written itself.
 */
final class Pacing {
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(4);

    /** Overtaken within so many batches after it began: the other is as busy. */
    private static final int FEW = 3;

    private final LongSupplier monotonic;
    private boolean hasRival;
    private boolean hasWaited;
    private int batches = FEW;
    private long committedAt;

    Pacing(LongSupplier monotonic) {
        this.monotonic = monotonic;
    }

    /** A batch of this process was committed. */
    void committed() {
        batches++;
        committedAt = monotonic.getAsLong();
    }

    /** Another process was quicker. Returns when this one may take the lock. */
    void leave() {
        hasRival |= batches < FEW;
        long left = committedAt + NANOS - monotonic.getAsLong();
        hasWaited = hasRival && left > 0;
        if (hasWaited) {
            LockSupport.parkNanos(this, Math.min(left, NANOS));
        }
        batches = 0;
    }

    /** @param missed entries that others wrote and this process reads now, under the lock */
    void caughtUp(long missed) {
        if (hasWaited) {
            hasRival = missed > 1;
            hasWaited = false;
        }
        if (missed > 0) {
            batches = 0;
        }
    }
}
