package dev.sluice.gateway.responses;

import dev.sluice.gateway.http.Dialect;
import dev.sluice.gateway.http.Recording;
import dev.sluice.gateway.responses.ResponsesDialect.Said;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Follows one answer to its client: what a failure must go on from, and what is kept of it. */
final class AnswerRecording implements Recording {
    static final Set<String> TERMINAL = Set.of("response.completed", "response.incomplete", "response.failed");
    private static final CompletionStage<Void> DONE = CompletableFuture.completedStage(null);

    private final String model;
    private final Dialect dialect;
    private final long bytesMax;
    private final Optional<AnswerKeeping> keeping;
    private final EventReader events;
    private boolean follows;
    private boolean collects;
    private @Nullable Buffer whole;
    private byte @Nullable [] first;
    private byte @Nullable [] last;
    private long count;
    private boolean complete;
    private CompletionStage<Void> kept = DONE;

    /** @param keeping empty if the answer is not kept */
    AnswerRecording(String model, Dialect openAi, InstantSource clock, long bytesMax, Optional<AnswerKeeping> keeping) {
        this.model = model;
        this.dialect = new ResponsesDialect(openAi, clock, this::said);
        this.bytesMax = bytesMax;
        this.keeping = keeping;
        this.events = new EventReader(bytesMax, this::event);
    }

    @Override
    public Dialect dialect() {
        return dialect;
    }

    @Override
    public long heldBytes() {
        return keeping.map(AnswerKeeping::inputBytes).orElse(0);
    }

    @Override
    public void head(int status, boolean eventStream) {
        follows = status == 200 && eventStream;
        collects = status == 200 && !eventStream && keeping.isPresent();
    }

    @Override
    public CompletionStage<Void> chunk(Buffer bytes) {
        if (follows) {
            events.feed(bytes);
        } else if (collects) {
            collect(bytes);
        }
        return kept;
    }

    private void collect(Buffer bytes) {
        Buffer before = whole;
        whole = before == null ? bytes.copy() : before.appendBuffer(bytes);
        if (whole.length() > bytesMax) {
            collects = false;
            whole = null;
        }
    }

    private void event(String name, byte[] data) {
        count++;
        last = data;
        if (first == null) {
            first = data;
        }
        String type = name.isEmpty() ? type(data) : name;
        if (TERMINAL.contains(type)) {
            complete = true;
            keeping.ifPresent(place -> kept = place.keep(data, true));
        }
    }

    private static String type(byte[] data) {
        return Json.object(data).map(event -> event.path("type").asString("")).orElse("");
    }

    @Override
    public boolean isComplete() {
        return complete;
    }

    @Override
    public CompletionStage<Void> end() {
        Buffer answer = whole;
        if (collects && answer != null) {
            collects = false;
            kept = keeping.orElseThrow().keep(answer.getBytes(), false);
        }
        return kept;
    }

    /** Read only when a stream fails: events pass by the thousand. */
    private Said said() {
        byte[] opening = first;
        byte[] latest = last;
        Optional<ObjectNode> response = opening == null
                ? Optional.empty()
                : Json.object(opening)
                        .filter(event -> event.path("response") instanceof ObjectNode)
                        .map(event -> (ObjectNode) event.path("response"));
        long number = latest == null
                ? -1
                : Json.object(latest)
                        .map(event -> event.path("sequence_number").asLong(count - 1))
                        .orElse(count - 1);
        return new Said(response, model, number + 1);
    }
}
