package dev.sluice.gateway.http;

import java.time.Duration;

/** When a waiting stream may show a comment: first after the grace, then every five seconds at most. */
final class CommentPace {
    private static final long PERIOD_NANOS = Duration.ofSeconds(5).toNanos();

    private final long arrived;
    private boolean any;
    private long last;

    CommentPace(long arrived) {
        this.arrived = arrived;
    }

    boolean due(long now, Duration grace) {
        return any ? now - last >= PERIOD_NANOS : now - arrived >= grace.toNanos();
    }

    void sent(long now) {
        any = true;
        last = now;
    }
}
