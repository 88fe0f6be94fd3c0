package dev.sluice.gateway.tasks;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** How long a task is out of the queue after a failed attempt. */
final class Backoff {
    private static final long FIRST_MILLIS = 1_000;
    private static final long MOST_MILLIS = 60_000;
    private static final int GROWTH = 3;
    private static final double JITTER = 0.2;

    private Backoff() {}

    /**
     * @param attempt the one that failed, from 1
     * @param asked what the upstream's Retry-After says, in seconds; empty or anything else for nothing
     */
    static Duration after(int attempt, String asked) {
        double millis = Math.min(MOST_MILLIS, FIRST_MILLIS * Math.pow(GROWTH, attempt - 1));
        // Who failed together must not come back together.
        millis *= 1 + JITTER * (2 * ThreadLocalRandom.current().nextDouble() - 1);
        long seconds = asked.matches("[0-9]{1,5}") ? Long.parseLong(asked) : 0;
        return Duration.ofMillis(Math.max((long) millis, Math.min(MOST_MILLIS, seconds * 1_000)));
    }
}
