package dev.sluice.gateway.http;

import dev.sluice.gateway.http.Chronicle.Piece;
import dev.sluice.gateway.upstream.HardClose;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A client that reads a {@link Chronicle} as server-sent events, at its own pace. On one event loop. */
final class Follower {
    private static final CharSequence EVENT_STREAM = HttpHeaders.createOptimized("text/event-stream; charset=utf-8");
    private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
    private static final long SILENCE_NANOS = Duration.ofSeconds(15).toNanos();
    private static final Buffer COMMENT = Buffer.buffer(": nothing new\n\n");

    private final Lane lane;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final Chronicle chronicle;
    private long written;
    private boolean over;

    Follower(Lane lane, HttpServerRequest request, Chronicle chronicle) {
        this.lane = lane;
        this.request = request;
        this.response = request.response();
        this.chronicle = chronicle;
        this.written = lane.now();
    }

    HttpConnection connection() {
        return request.connection();
    }

    void start() {
        lane.add(this);
        if (response.closed() || lane.draining()) {
            stop();
            return;
        }
        response.closeHandler(closed -> leave());
        response.exceptionHandler(broken -> leave());
        response.putHeader(HttpHeaders.CONTENT_TYPE, EVENT_STREAM)
                .putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE)
                .putHeader("x-accel-buffering", "no")
                .setChunked(true);
        read();
    }

    private void read() {
        chronicle.next().whenComplete((piece, outage) -> lane.run(() -> told(piece)));
    }

    /** @param piece null if nothing can be told any more */
    private void told(@Nullable Piece piece) {
        if (over) {
            return;
        }
        if (piece == null) {
            stop();
        } else if (piece.last()) {
            leave();
            response.end(piece.bytes());
        } else {
            written = lane.now();
            response.write(piece.bytes());
            if (response.writeQueueFull()) {
                response.drainHandler(drained -> read());
            } else {
                read();
            }
        }
    }

    void tick(long now) {
        if (now - written < SILENCE_NANOS) {
            return;
        }
        if (!response.writeQueueFull()) {
            written = now;
            response.write(COMMENT);
        } else if (now - written > lane.patience().unread().toNanos()) {
            HardClose.of(connection());
            leave();
        }
    }

    /** Whoever reads on may do so elsewhere: nothing is lost, but this must not pass for the end. */
    void stop() {
        if (!over) {
            leave();
            response.reset();
        }
    }

    private void leave() {
        if (!over) {
            over = true;
            lane.remove(this);
            chronicle.close();
        }
    }
}
