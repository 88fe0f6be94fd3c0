package dev.sluice.gateway.responses;

import dev.sluice.gateway.http.Chronicle;
import dev.sluice.gateway.tasks.Watch;
import dev.sluice.postgres.responses.EventStore;
import dev.sluice.postgres.responses.EventStore.Events;
import dev.sluice.postgres.responses.ResponseStore;
import dev.sluice.postgres.responses.StoredResponse;
import dev.sluice.postgres.tasks.StoredTask;
import io.vertx.core.buffer.Buffer;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import tools.jackson.databind.node.ObjectNode;

/**
 * The events of a response in the background, from one number on. The first two and the last one follow from the
 * response and its task; those between are as its executions wrote them.
 */
final class ResponseChronicle implements Chronicle {
    private final Watch watch;
    private final ResponseStore responses;
    private final EventStore kept;
    private final String group;
    private final String id;
    private final UUID task;
    private final ObjectNode shown;
    private volatile long next;
    private volatile CompletableFuture<Piece> waiting = new CompletableFuture<>();
    private volatile Optional<Watch.Look> look = Optional.empty();

    /**
     * @param shown the response object before there was an answer
     * @param next the number of the first event that is wanted
     */
    ResponseChronicle(
            Watch watch,
            ResponseStore responses,
            EventStore kept,
            String group,
            String id,
            UUID task,
            ObjectNode shown,
            long next) {
        this.watch = watch;
        this.responses = responses;
        this.kept = kept;
        this.group = group;
        this.id = id;
        this.task = task;
        this.shown = shown;
        this.next = next;
    }

    @Override
    public CompletionStage<Piece> next() {
        if (next < EventStore.FIRST) {
            return CompletableFuture.completedStage(new Piece(opening(), false));
        }
        waiting = new CompletableFuture<>();
        var own = new Following();
        look = Optional.of(own);
        watch.add(own);
        return waiting;
    }

    private Buffer opening() {
        Buffer opening = Buffer.buffer();
        for (long number = next; number < EventStore.FIRST; number++) {
            ObjectNode event = Json.object()
                    .put("type", number == 0 ? "response.created" : "response.queued")
                    .put("sequence_number", number);
            event.set("response", shown.deepCopy().put("id", id).put("status", "queued"));
            opening.appendBuffer(Json.event(event));
        }
        next = EventStore.FIRST;
        return opening;
    }

    @Override
    public void close() {
        look.ifPresent(watch::remove);
    }

    private final class Following implements Watch.Look {
        @Override
        public UUID task() {
            return task;
        }

        @Override
        public OptionalLong from() {
            return OptionalLong.of(next);
        }

        @Override
        public boolean sees(Optional<StoredTask> state, List<Events> events) {
            Buffer news = Buffer.buffer();
            for (Events row : events) {
                if (row.first() <= next && next < row.first() + row.count()) {
                    news.appendBytes(EventText.from(row.bytes(), Math.toIntExact(next - row.first())));
                    next = row.first() + row.count();
                }
            }
            if (news.length() > 0) {
                return waiting.complete(new Piece(news, false));
            }
            if (state.isEmpty()) {
                return waiting.completeExceptionally(new IllegalStateException("the response was deleted"));
            }
            // No event is added to a task that has ended, and those that were are there: what is left is the last one.
            return state.get().state().isFinal() && events.isEmpty() && tellEnd();
        }

        private boolean tellEnd() {
            var _ = Blocking.call(this::end).whenComplete((end, failure) -> {
                if (end != null && end.isPresent()) {
                    waiting.complete(new Piece(end.get(), true));
                } else {
                    waiting.completeExceptionally(new IllegalStateException("the response was deleted"));
                }
            });
            return true;
        }

        /** Empty if the response was deleted. */
        private Optional<Buffer> end() throws SQLException {
            Optional<StoredResponse> found = responses.find(group, id);
            return found.isPresent()
                    ? Optional.of(last(ResponseView.of(found.get()), kept.next(task)))
                    : Optional.empty();
        }
    }

    /** Under its own number, also for whoever wants what comes behind it: a number stands for one event for ever. */
    private Buffer last(ObjectNode object, long number) {
        String type = switch (object.path("status").asString("")) {
            case "completed" -> "response.completed";
            case "incomplete" -> "response.incomplete";
            default -> "response.failed";
        };
        ObjectNode event = Json.object().put("type", type).put("sequence_number", number);
        event.set("response", object);
        return Json.event(event);
    }
}
