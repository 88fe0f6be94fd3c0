package dev.sluice.gateway.http;

import dev.sluice.gateway.upstream.HardClose;
import io.netty.channel.Channel;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The client connections of one loop; closes those that bring no complete request head for too long. */
final class ClientConnections {
    private static final class State {
        private int exchanges;
        private long since;
    }

    /** Who connected this long ago and sent nothing since will hardly do so in this moment. */
    private static final long LIVELY_NANOS = Duration.ofMillis(200).toNanos();

    private final Map<HttpConnection, State> open = new IdentityHashMap<>();
    private @Nullable Channel listening;
    private final long idleNanos;

    ClientConnections(Duration idle) {
        this.idleNanos = idle.toNanos();
    }

    void opened(HttpConnection connection, long now) {
        var state = new State();
        state.since = now;
        open.put(connection, state);
        if (listening == null && connection instanceof ConnectionBase base) {
            listening = base.channelHandlerContext().channel().parent();
        }
        // A client that resets its connection is no news for the log.
        connection.exceptionHandler(broken -> {});
        connection.closeHandler(closed -> open.remove(connection));
    }

    void busy(HttpConnection connection) {
        State state = open.get(connection);
        if (state != null) {
            state.exchanges++;
        }
    }

    void free(HttpConnection connection, long now) {
        State state = open.get(connection);
        if (state != null) {
            state.exchanges--;
            state.since = now;
        }
    }

    void used(HttpConnection connection, long now) {
        State state = open.get(connection);
        if (state != null) {
            state.since = now;
        }
    }

    void closeIdle(long now) {
        List<HttpConnection> late = new ArrayList<>();
        open.forEach((connection, state) -> {
            if (state.exchanges == 0 && now - state.since > idleNanos) {
                late.add(connection);
            }
        });
        late.forEach(HardClose::of);
    }

    int lively(long now) {
        return (int) open.values().stream()
                .filter(state -> state.exchanges > 0 || now - state.since < LIVELY_NANOS)
                .count();
    }

    /** Who connects from now on is refused by the system, and goes elsewhere at once. */
    void stopListening() {
        if (listening != null) {
            var _ = listening.close();
        }
    }

    int count() {
        return open.size();
    }
}
