package dev.sluice.gateway.http;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** What a waiting stream is told of its place: first after the grace, then every five seconds at most. */
final class QueueComments {
    private static final long PERIOD_NANOS = Duration.ofSeconds(5).toNanos();

    private final Lane lane;
    private final Dialect dialect;
    private final long arrived;
    private boolean any;
    private long last;

    /** @param arrived by the lane's clock */
    QueueComments(Lane lane, Dialect dialect, long arrived) {
        this.lane = lane;
        this.dialect = dialect;
        this.arrived = arrived;
    }

    /** Empty if none is due, or if the task waits no longer. */
    Optional<Buffer> due(long now, UUID task) {
        Duration grace = lane.switchboard().configuration().queueing().firstByteGrace();
        if (any ? now - last < PERIOD_NANOS : now - arrived < grace.toNanos()) {
            return Optional.empty();
        }
        Optional<Buffer> comment =
                lane.admission().place(task).map(place -> dialect.queued(place.position(), place.eta()));
        if (comment.isPresent()) {
            any = true;
            last = now;
        }
        return comment;
    }
}
