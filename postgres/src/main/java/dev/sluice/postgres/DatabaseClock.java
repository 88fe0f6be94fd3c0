package dev.sluice.postgres;

import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;

/**
 * Ledger time: the database's clock as last told, plus the monotonic time since. It is never ahead of the database, so
 * nobody's lease is ended early; and no application's wall clock is asked, so a wrong one changes nothing.
 */
final class DatabaseClock {
    /** How far one observation may move the clock back: a late answer must not, a stepped server clock will, slowly. */
    private static final long BACK_NANOS_MAX = 1_000_000;

    private final LongSupplier monotonic;
    private final LongUnaryOperator told;
    private long offset = Long.MIN_VALUE;
    private long last = Long.MIN_VALUE;

    /**
     * @param monotonic nanoseconds of any origin
     * @param told what to make of an instant of the database, in microseconds
     */
    DatabaseClock(LongSupplier monotonic, LongUnaryOperator told) {
        this.monotonic = monotonic;
        this.told = told;
    }

    /** @param micros Unix time of the database, taken before it answered */
    synchronized void observed(long micros) {
        long seen = told.applyAsLong(micros) * 1_000 - monotonic.getAsLong();
        offset = offset == Long.MIN_VALUE ? seen : Math.max(seen, offset - BACK_NANOS_MAX);
    }

    synchronized boolean isSet() {
        return offset != Long.MIN_VALUE;
    }

    /** Nanoseconds since the Unix epoch in whole microseconds, which is what the tables can hold; never backwards. */
    synchronized long now() {
        if (offset == Long.MIN_VALUE) {
            throw new IllegalStateException("the database has not told the time yet");
        }
        long now = monotonic.getAsLong() + offset;
        last = Math.max(last, now - Math.floorMod(now, 1_000));
        return last;
    }
}
