package dev.sluice.gateway.tasks;

import dev.sluice.admission.Place;
import dev.sluice.gateway.http.Chronicle;
import dev.sluice.postgres.responses.EventStore.Events;
import dev.sluice.postgres.tasks.StoredTask;
import dev.sluice.postgres.tasks.StoredTask.State;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * What happens to a task: {@code state} whenever that changes, {@code position} while it waits, {@code end} at last. An
 * event's id names the state it tells, so whoever comes again with the last one it saw is told only what is new.
 */
final class TaskChronicle implements Chronicle {
    private static final Duration POSITION_PERIOD = Duration.ofSeconds(5);

    private final Watch watch;
    private final Function<UUID, Optional<Place>> places;
    private final UUID task;
    private volatile Following following = new Following();
    private volatile CompletableFuture<Piece> waiting = new CompletableFuture<>();
    private String told;
    private int position = -1;
    private long positionTold = System.nanoTime() - POSITION_PERIOD.toNanos();

    /** @param told the id of the last event that is known, empty for none */
    TaskChronicle(Watch watch, Function<UUID, Optional<Place>> places, UUID task, String told) {
        this.watch = watch;
        this.places = places;
        this.task = task;
        this.told = told;
    }

    @Override
    public CompletionStage<Piece> next() {
        waiting = new CompletableFuture<>();
        following = new Following();
        watch.add(following);
        return waiting;
    }

    @Override
    public void close() {
        watch.remove(following);
    }

    /** All on the thread of the watch. */
    private final class Following implements Watch.Look {
        @Override
        public UUID task() {
            return task;
        }

        @Override
        public OptionalLong from() {
            return OptionalLong.empty();
        }

        @Override
        public boolean sees(Optional<StoredTask> seen, List<Events> events) {
            if (seen.isEmpty()) {
                return waiting.completeExceptionally(new IllegalStateException("the task is gone"));
            }
            StoredTask now = seen.get();
            Optional<Place> place = places.apply(task);
            State state = TaskJson.state(now, place);
            String id = state.word() + '-' + now.attempts();
            if (state.isFinal()) {
                Buffer end = id.equals(told) ? Buffer.buffer() : event("end", id, TaskJson.of(now, place));
                return waiting.complete(new Piece(end, true));
            }
            if (!id.equals(told) && !isBehind(state, now)) {
                told = id;
                return waiting.complete(new Piece(event("state", id, TaskJson.of(now, place)), false));
            }
            return state == State.QUEUED && tellPosition(place);
        }

        /**
         * Another gateway has begun the task, and the ledger here has yet to hear that it was admitted. Whoever was told
         * that it runs may hear that it waits again.
         */
        private boolean isBehind(State state, StoredTask now) {
            return state == State.QUEUED
                    && now.state() == State.RUNNING
                    && !told.isEmpty()
                    && !told.startsWith(State.RUNNING.word());
        }

        private boolean tellPosition(Optional<Place> place) {
            int at = place.map(Place::position).orElse(0);
            long now = System.nanoTime();
            boolean due = now - positionTold >= POSITION_PERIOD.toNanos();
            if (place.isEmpty() || (at == position && !due)) {
                return false;
            }
            position = at;
            positionTold = now;
            return waiting.complete(new Piece(event("position", "", TaskJson.position(place.get())), false));
        }
    }

    private static Buffer event(String name, String id, Buffer json) {
        return Buffer.buffer("event: " + name + '\n' + (id.isEmpty() ? "" : "id: " + id + '\n') + "data: ")
                .appendBuffer(json)
                .appendString("\n\n");
    }
}
