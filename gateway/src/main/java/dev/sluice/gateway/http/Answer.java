package dev.sluice.gateway.http;

import dev.sluice.admission.Admitted;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one inference request on its way to the client: says what the gateway did, tells of the queue while the
 * task waits, and is written down first where it is kept. On one event loop.
 */
final class Answer {
    private final Lane lane;
    private final Api api;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final AnswerWriter writer;
    private final QueueComments comments;
    private UUID task;
    private int priority;
    private @Nullable Admitted admitted;
    private @Nullable Recording recorded;
    private @Nullable Gate gate;
    private @Nullable Passage source;
    private boolean closed;

    /** @param arrived when the request did, by the lane's clock */
    Answer(Lane lane, Api api, HttpServerRequest request, long arrived, UUID task) {
        this.lane = lane;
        this.api = api;
        this.request = request;
        this.response = request.response();
        this.writer = new AnswerWriter(response, api);
        this.comments = new QueueComments(lane, api, arrived);
        this.task = task;
        Stamp.on(response, task);
    }

    /** The answer is to this task, for which an idempotency key may stand. */
    void to(UUID other) {
        task = other;
        Stamp.on(response, task);
    }

    void ranked(int granted) {
        priority = granted;
    }

    void keptBy(Recording recording) {
        writer.speak(recording.dialect());
        recorded = recording;
        gate = new Gate(lane, recording, this::relay);
    }

    void from(Passage passage) {
        source = passage;
    }

    void admitted(Admitted grant) {
        admitted = grant;
    }

    int status() {
        return response.getStatusCode();
    }

    /** Whether a whole answer of ours can still be sent. */
    boolean untouched() {
        return writer.untouched();
    }

    /** Whether the client needs nothing of what may still come. */
    boolean isComplete() {
        return recorded != null && recorded.isComplete();
    }

    /** Tells a stream of the task's place, if that is due. */
    void comment(long now) {
        if (response.writeQueueFull()) {
            return;
        }
        comments.due(now, task).ifPresent(comment -> {
            stampUntouched();
            writer.comment(comment);
        });
    }

    void head(int status, MultiMap headers) {
        writer.head(status, headers);
        if (recorded != null) {
            recorded.head(status, AnswerWriter.isEventStream(headers));
        }
        stampUntouched();
    }

    private void stampUntouched() {
        if (writer.untouched()) {
            Stamp.on(response, task, priority, admitted);
        }
    }

    void chunk(Buffer bytes) {
        if (gate == null) {
            relay(bytes);
        } else {
            gate.chunk(bytes);
        }
    }

    private void relay(Buffer bytes) {
        if (closed) {
            return;
        }
        if (writer.chunk(bytes)) {
            lane.flushSoon(this);
        }
        writer.restrain(source);
    }

    /** Writes what came since the last flush. */
    void flush() {
        if (!closed) {
            writer.flush();
            writer.restrain(source);
        }
    }

    /** @param then runs when all that came has passed */
    void whenPassed(Runnable then) {
        if (gate == null) {
            then.run();
        } else {
            gate.end(then);
        }
    }

    /** Nothing more comes. */
    Future<Void> end() {
        closed = true;
        return writer.end();
    }

    /** What a client is shown of a task that it does not wait for. */
    Future<Void> end(Buffer json, boolean accepted) {
        closed = true;
        if (accepted) {
            Stamp.accepted(response, task);
        } else {
            response.putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
        }
        return response.end(json);
    }

    /** Ends in place of an answer, or of the rest of one. */
    Future<Void> refuse(Problem problem) {
        closed = true;
        if (!writer.untouched()) {
            return writer.fail(problem);
        }
        writer.reset();
        Stamp.on(response, task);
        return ProblemReply.send(lane, request, api, problem);
    }

    /** The client has left: nothing more is written. */
    void close() {
        closed = true;
    }
}
