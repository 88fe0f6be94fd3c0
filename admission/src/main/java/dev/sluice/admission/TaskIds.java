package dev.sluice.admission;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Makes UUIDs of version 7: 48 bits of Unix milliseconds, then random bits. They sort roughly by age, which keeps
 * index pages of a database warm; the ledger never orders by them.
 */
public final class TaskIds {
    private final LongSupplier epochMillis;

    /** @param epochMillis Unix time in milliseconds, for the id's prefix only */
    public TaskIds(LongSupplier epochMillis) {
        this.epochMillis = epochMillis;
    }

    /** A new one. */
    public UUID next() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long high = (epochMillis.getAsLong() << 16) | 0x7000L | (random.nextLong() & 0x0fffL);
        long low = (random.nextLong() & 0x3fffffffffffffffL) | 0x8000000000000000L;
        return new UUID(high, low);
    }
}
