package dev.sluice.gateway.config;

import java.time.Duration;

/**
 * How much of one scope runs at once, and who waits for it.
 *
 * @param limit running at once; 0 = unlimited
 * @param queue waiting at most; 0 = refuse at once when saturated
 * @param maxWait how long a sync request may wait here, 1 ms to 7 days; counts only with a queue
 * @param leaseTtl life of a lease between renewals, 3 s to 1 h; a group has the one of its platform model
 */
public record Concurrency(int limit, int queue, Duration maxWait, Duration leaseTtl) {
    static final Range<Integer> LIMIT = Range.of(0, 1_000_000);
    static final Range<Integer> QUEUE = Range.of(0, 10_000_000);
    static final Range<Duration> MAX_WAIT = Range.of(Duration.ofMillis(1), Duration.ofDays(7));
    static final Range<Duration> LEASE_TTL = Range.of(Duration.ofSeconds(3), Duration.ofHours(1));

    public static final Concurrency UNLIMITED = new Concurrency(0, 0, Duration.ofSeconds(600), Duration.ofMinutes(2));

    public Concurrency {
        LIMIT.require("limit", limit);
        QUEUE.require("queue", queue);
        MAX_WAIT.require("max-wait", maxWait);
        LEASE_TTL.require("lease-ttl", leaseTtl);
    }

    public boolean limited() {
        return limit > 0;
    }

    public boolean queues() {
        return queue > 0;
    }
}
