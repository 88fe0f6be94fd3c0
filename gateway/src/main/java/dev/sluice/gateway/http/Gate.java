package dev.sluice.gateway.http;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lets an answer pass in its order, and its last part not before it is written down. On one event loop. */
final class Gate {
    private final Lane lane;
    private final Recording recording;
    private final Consumer<Buffer> onwards;
    private final Deque<Buffer> held = new ArrayDeque<>();
    private boolean closed;
    private @Nullable Runnable then;

    Gate(Lane lane, Recording recording, Consumer<Buffer> onwards) {
        this.lane = lane;
        this.recording = recording;
        this.onwards = onwards;
    }

    void chunk(Buffer bytes) {
        CompletableFuture<Void> may = recording.chunk(bytes).toCompletableFuture();
        if (!closed && may.state() == Future.State.SUCCESS) {
            onwards.accept(bytes);
            return;
        }
        held.add(bytes);
        await(may);
    }

    /** @param last runs when all has passed */
    void end(Runnable last) {
        CompletableFuture<Void> may = recording.end().toCompletableFuture();
        if (!closed && may.state() == Future.State.SUCCESS) {
            last.run();
            return;
        }
        then = last;
        await(may);
    }

    private void await(CompletionStage<Void> may) {
        if (!closed) {
            closed = true;
            may.whenComplete((written, failure) -> lane.run(this::open));
        }
    }

    private void open() {
        closed = false;
        while (!held.isEmpty()) {
            onwards.accept(held.remove());
        }
        Runnable last = then;
        if (last != null) {
            then = null;
            last.run();
        }
    }
}
