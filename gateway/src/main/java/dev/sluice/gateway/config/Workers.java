package dev.sluice.gateway.config;

import java.time.Duration;

/**
 * Execution of async tasks.
 *
 * @param slots tasks at once over all gateways, the limit of the scope {@code worker_capacity}, at least 1
 * @param attempts how often the execution of one task is begun, at least 1
 * @param retention how long a task is kept after it ended, 1 ms to 366 days
 * @param maxResponseBytes the largest answer that is kept, 1 KiB to 256 MiB
 * @param priorityOffset what is added to the group's priority for a task that asks for none, so that it runs after work
 *     that a client waits for
 */
public record Workers(int slots, int attempts, Duration retention, long maxResponseBytes, int priorityOffset) {
    static final Range<Integer> SLOTS = Range.of(1, 1_000_000);
    static final Range<Integer> ATTEMPTS = Range.of(1, 100);
    static final Range<Duration> RETENTION = Range.of(Duration.ofMillis(1), Duration.ofDays(366));
    static final Range<Long> MAX_RESPONSE = Range.of(1L << 10, 256L << 20);
    public static final Workers DEFAULT = new Workers(16, 5, Duration.ofHours(24), 16L << 20, 1_000);

    public Workers {
        SLOTS.require("slots", slots);
        ATTEMPTS.require("attempts", attempts);
        RETENTION.require("retention", retention);
        MAX_RESPONSE.require("max-response", maxResponseBytes);
        Group.PRIORITY.require("priority-offset", priorityOffset);
    }
}
