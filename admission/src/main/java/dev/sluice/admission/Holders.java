package dev.sluice.admission;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The heartbeats of the processes whose clients wait. */
final class Holders {
    private static final long FORGOTTEN_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final int PRUNE_FROM = 64;

    private final Map<String, Long> aliveUntil = new HashMap<>();
    // Long ago, and nothing overflows that is added.
    private long heardAt = Long.MIN_VALUE / 2;

    void heard(String holder, long until) {
        aliveUntil.merge(holder, until, Math::max);
        if (aliveUntil.size() > PRUNE_FROM) {
            // Each start of a process is a new holder.
            aliveUntil.values().removeIf(other -> other < until - FORGOTTEN_NANOS);
        }
    }

    /** At {@code now} all were listened to: whoever beats was heard. */
    void heardAll(long now) {
        heardAt = Math.max(heardAt, now);
    }

    /** When all were listened to last. */
    long heardAt() {
        return heardAt;
    }

    /** Until when the waiters of {@code holder} live by its heartbeat; {@link Long#MIN_VALUE} without one. */
    long until(String holder) {
        return aliveUntil.getOrDefault(holder, Long.MIN_VALUE);
    }

    int count() {
        return aliveUntil.size();
    }
}
