package dev.sluice.admission;

import java.util.HashMap;
import java.util.Map;

/** The heartbeats of the processes whose clients wait. */
final class Holders {
    private final Map<String, Long> aliveUntil = new HashMap<>();

    void heard(String holder, long until) {
        aliveUntil.merge(holder, until, Math::max);
    }

    void forget(String holder) {
        aliveUntil.remove(holder);
    }

    /** Until when the waiters of {@code holder} live by its heartbeat; {@link Long#MIN_VALUE} without one. */
    long until(String holder) {
        return aliveUntil.getOrDefault(holder, Long.MIN_VALUE);
    }

    /** Drops those that died long ago. */
    void prune(long before) {
        aliveUntil.values().removeIf(until -> until < before);
    }
}
