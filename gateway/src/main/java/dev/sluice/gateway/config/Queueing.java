package dev.sluice.gateway.config;

import java.time.Duration;

/**
 * How waiting requests overtake, and how long a waiting client sees nothing.
 *
 * @param ordering who may overtake whom
 * @param maxOvertakes how often a waiting request may be overtaken before it sets its amount aside, at least 1
 * @param asyncMaxWait how long an async task may wait, 1 ms to 366 days
 * @param firstByteGrace how long the status line is held back; zero = not at all
 */
public record Queueing(Ordering ordering, int maxOvertakes, Duration asyncMaxWait, Duration firstByteGrace) {
    static final Range<Integer> MAX_OVERTAKES = Range.of(1, 1_000_000);
    static final Range<Duration> ASYNC_MAX_WAIT = Range.of(Duration.ofMillis(1), Duration.ofDays(366));
    static final Range<Duration> FIRST_BYTE_GRACE = Range.of(Duration.ZERO, Duration.ofHours(1));
    public static final Queueing DEFAULT =
            new Queueing(Ordering.WORK_CONSERVING, 64, Duration.ofHours(24), Duration.ofSeconds(10));

    public Queueing {
        MAX_OVERTAKES.require("max-overtakes", maxOvertakes);
        ASYNC_MAX_WAIT.require("async-max-wait", asyncMaxWait);
        FIRST_BYTE_GRACE.require("first-byte-grace", firstByteGrace);
    }

    public enum Ordering {
        /** A blocked request blocks only the scopes that lack room. */
        WORK_CONSERVING,
        /** Only the head of both its queues may start. */
        STRICT
    }
}
