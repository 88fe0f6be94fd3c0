package dev.sluice.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/**
 * Writes one upstream's answer to the client. A stream's chunks leave as they come, the head with the first of them; any
 * other answer is held back until it is complete, so that one that breaks off can still become an error.
 */
final class AnswerWriter {
    private static final CharSequence NO_CACHE = HttpHeaders.createOptimized("no-cache");
    private static final CharSequence X_ACCEL_BUFFERING = HttpHeaders.createOptimized("x-accel-buffering");
    private static final CharSequence NO = HttpHeaders.createOptimized("no");
    private static final CharSequence EVENT_STREAM = HttpHeaders.createOptimized("text/event-stream; charset=utf-8");
    private static final String EVENT_STREAM_TYPE = "text/event-stream";
    private static final int HELD_BYTES_MAX = 256 << 10;
    private static final int GATHERED_BYTES_MAX = 64 << 10;
    private static final int ERROR_BYTES_MAX = 64 << 10;
    private static final Buffer LINE_BREAKS = Buffer.buffer("\n\n");

    /** How the answer is passed on. */
    private enum Way {
        /** Nothing has come. */
        NONE,
        /** Chunk by chunk. */
        RELAYED,
        /** Kept until it is complete. */
        HELD,
        /** Kept to be told as an event, since the stream's head was sent while it waited. */
        REFUSED
    }

    private final HttpServerResponse response;
    private Dialect dialect;
    private Way way = Way.NONE;
    private boolean events;
    private boolean openedWhileWaiting;
    private int upstreamStatus;
    private @Nullable Buffer held;
    private boolean heldIsOurs;
    private boolean awaitsRead;
    // Whether the last chunk ended an event, so that ours may follow.
    private boolean atEventEnd = true;

    AnswerWriter(HttpServerResponse response, Dialect dialect) {
        this.response = response;
        this.dialect = dialect;
    }

    /** What the gateway itself says from now on is said so. */
    void speak(Dialect own) {
        dialect = own;
    }

    /** A comment of a stream that still waits; the first one opens the stream. */
    void comment(Buffer comment) {
        if (!openedWhileWaiting) {
            openedWhileWaiting = true;
            events = true;
            response.putHeader(HttpHeaders.CONTENT_TYPE, EVENT_STREAM);
            response.putHeader(HttpHeaders.CACHE_CONTROL, NO_CACHE);
            response.putHeader(X_ACCEL_BUFFERING, NO);
            response.setChunked(true);
        }
        response.write(comment);
    }

    /** Whether an answer of this kind would be streamed to the client. */
    static boolean isEventStream(MultiMap upstream) {
        String type = upstream.get(HttpHeaders.CONTENT_TYPE);
        return type != null && type.regionMatches(true, 0, EVENT_STREAM_TYPE, 0, EVENT_STREAM_TYPE.length());
    }

    void head(int status, MultiMap upstream) {
        upstreamStatus = status;
        boolean stream = isEventStream(upstream);
        if (openedWhileWaiting) {
            // The head that would name an encoding is sent.
            way = stream && status == 200 && !upstream.contains(HttpHeaders.CONTENT_ENCODING)
                    ? Way.RELAYED
                    : Way.REFUSED;
            return;
        }
        response.setStatusCode(status);
        PassedHeaders.toClient(upstream, response.headers());
        if (stream) {
            events = true;
            way = Way.RELAYED;
            // A stream that is cut gets our event as well: by its length it could pass for complete.
            response.headers().remove(HttpHeaders.CONTENT_LENGTH);
            frame();
        } else {
            way = Way.HELD;
        }
    }

    private void frame() {
        if (!response.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
            response.setChunked(true);
        }
    }

    /** Whether a flush is due that was not before. */
    boolean chunk(Buffer bytes) {
        switch (way) {
            case RELAYED -> {
                return gather(bytes);
            }
            case HELD -> hold(bytes);
            case REFUSED -> keep(bytes, ERROR_BYTES_MAX);
            case NONE -> throw new IllegalStateException("a chunk before the head");
        }
        return false;
    }

    private boolean gather(Buffer bytes) {
        boolean first = held == null;
        keep(bytes, Integer.MAX_VALUE);
        if (held != null && held.length() >= GATHERED_BYTES_MAX) {
            flush();
        }
        return first;
    }

    /** Writes what was gathered. */
    void flush() {
        Buffer gathered = held;
        if (way == Way.RELAYED && gathered != null && gathered.length() > 0) {
            held = null;
            noteEnd(gathered);
            response.write(gathered);
        }
    }

    private void noteEnd(Buffer bytes) {
        int length = bytes.length();
        atEventEnd = length > 1 && bytes.getByte(length - 1) == '\n' && bytes.getByte(length - 2) == '\n';
    }

    private void hold(Buffer bytes) {
        keep(bytes, Integer.MAX_VALUE);
        if (held != null && held.length() > HELD_BYTES_MAX) {
            way = Way.RELAYED;
            frame();
            flush();
        }
    }

    private void keep(Buffer bytes, int bytesMax) {
        if (held == null) {
            held = bytes;
            heldIsOurs = false;
        } else if (held.length() < bytesMax) {
            // The first piece is often the whole; only a second one is worth a copy.
            held = (heldIsOurs ? held : held.copy()).appendBuffer(bytes);
            heldIsOurs = true;
        }
    }

    /** Lets the source of the answer pause while the client does not read. */
    void restrain(@Nullable Passage source) {
        if (source != null && !awaitsRead && response.writeQueueFull()) {
            awaitsRead = true;
            source.holdBack();
            response.drainHandler(drained -> {
                awaitsRead = false;
                source.drained();
            });
        }
    }

    /** The answer is complete. */
    Future<Void> end() {
        Buffer whole = held;
        held = null;
        return switch (way) {
            case HELD -> response.end(whole == null ? Buffer.buffer() : whole);
            case REFUSED ->
                abortAfter(dialect.failure(
                        upstreamStatus, whole == null ? Buffer.buffer() : whole, Stamp.requestId(response)));
            case RELAYED -> whole == null ? response.end() : response.end(whole);
            case NONE -> response.end();
        };
    }

    /** Whether a whole answer of ours can still be sent. */
    boolean untouched() {
        return !response.headWritten();
    }

    /** Forgets an answer that was held, so that another one may be sent. */
    void reset() {
        held = null;
        way = Way.NONE;
        if (!openedWhileWaiting) {
            response.headers().clear();
            response.setChunked(false);
        }
    }

    /** Ends an answer whose head was sent: a stream says why, and nobody may take it for complete. */
    Future<Void> fail(Problem problem) {
        flush();
        return events ? abortAfter(dialect.failure(problem, Stamp.requestId(response))) : response.reset();
    }

    private Future<Void> abortAfter(Buffer event) {
        if (!atEventEnd) {
            response.write(LINE_BREAKS);
        }
        return response.write(event).eventually(response::reset);
    }
}
