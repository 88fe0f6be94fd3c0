package dev.sluice.gateway.config;

import java.time.Duration;

/**
 * Sync requests whose limits have room and that wait for a provider only.
 *
 * @param maxQueue waiting at most; 0 = nobody waits for a provider
 * @param queueTimeout how long, unless a limit with a queue says how long; zero = no timeout; up to 7 days
 */
public record Dispatch(int maxQueue, Duration queueTimeout) {
    static final Range<Integer> MAX_QUEUE = Range.of(0, 10_000_000);
    static final Range<Duration> QUEUE_TIMEOUT = Range.of(Duration.ZERO, Duration.ofDays(7));
    public static final Dispatch DEFAULT = new Dispatch(256, Duration.ofSeconds(30));

    public Dispatch {
        MAX_QUEUE.require("max-queue", maxQueue);
        QUEUE_TIMEOUT.require("queue-timeout", queueTimeout);
    }
}
