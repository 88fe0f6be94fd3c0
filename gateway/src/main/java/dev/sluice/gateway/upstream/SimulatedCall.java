package dev.sluice.gateway.upstream;

import dev.sluice.gateway.upstream.SimulatedScript.Piece;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;

/** Plays a {@link SimulatedScript} on an event loop. */
final class SimulatedCall implements UpstreamCall {
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long MICROS_PER_MILLI = 1_000;

    private final Vertx vertx;
    private final SimulatedScript script;
    private final UpstreamListener listener;
    private final Runnable freed;
    private final long start = System.nanoTime();
    private int next;
    private boolean headSent;
    private boolean paused;
    private boolean armed;
    private long timer;
    private boolean over;

    SimulatedCall(Vertx vertx, SimulatedScript script, UpstreamListener listener, Runnable freed) {
        this.vertx = vertx;
        this.script = script;
        this.listener = listener;
        this.freed = freed;
    }

    void start() {
        arm();
    }

    private void arm() {
        if (armed || over || paused) {
            return;
        }
        armed = true;
        long due = headSent ? script.pieces().get(next).at() : script.head();
        long millis = (due - elapsedMicros() + MICROS_PER_MILLI - 1) / MICROS_PER_MILLI;
        if (millis <= 0) {
            vertx.getOrCreateContext().runOnContext(now -> play());
        } else {
            timer = vertx.setTimer(millis, fired -> play());
        }
    }

    private long elapsedMicros() {
        return (System.nanoTime() - start) / NANOS_PER_MICRO;
    }

    private void play() {
        armed = false;
        if (over || paused) {
            return;
        }
        if (!headSent) {
            headSent = true;
            listener.head(script.status(), head());
        }
        while (!over && !paused && next < script.pieces().size()) {
            Piece piece = script.pieces().get(next);
            if (piece.at() > elapsedMicros()) {
                break;
            }
            next++;
            listener.chunk(piece.bytes());
        }
        if (over) {
            return;
        }
        if (next == script.pieces().size()) {
            finish();
            listener.end();
        } else {
            arm();
        }
    }

    private MultiMap head() {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap().set(HttpHeaders.CONTENT_TYPE, script.contentType());
        if (script.pieces().size() == 1) {
            headers.set(
                    HttpHeaders.CONTENT_LENGTH,
                    Integer.toString(script.pieces().getFirst().bytes().length()));
        }
        return headers;
    }

    @Override
    public void pause() {
        paused = true;
    }

    @Override
    public void resume() {
        if (paused) {
            paused = false;
            arm();
        }
    }

    @Override
    public Future<Void> cancel() {
        if (!over) {
            vertx.cancelTimer(timer);
            finish();
        }
        return Future.succeededFuture();
    }

    private void finish() {
        over = true;
        freed.run();
    }
}
