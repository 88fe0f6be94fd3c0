package dev.sluice.gateway.http;

import dev.sluice.admission.Refusal;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * Where requests go whose clients do not wait for the answer. No method blocks; stages complete on any thread, and fail
 * when the database is away. What a group may not see is empty.
 */
public interface AsyncTasks {
    /** Takes a request over: from then on it is kept, whatever becomes of the client and of this process. */
    CompletionStage<Filed> file(Filing filing);

    /** The task as JSON. */
    CompletionStage<Optional<Buffer>> show(UUID task, String group);

    /** Cancels a task that has not ended, purges the content of one that has; the task after that as JSON. */
    CompletionStage<Optional<Buffer>> cancel(UUID task, String group);

    /**
     * What happens to the task from now on.
     *
     * @param lastEvent the id of the last event that is known, empty for none
     */
    CompletionStage<Optional<Chronicle>> follow(UUID task, String group, String lastEvent);

    /** The answer to a filing. */
    sealed interface Filed {
        /** @param task the new one, or the one that the idempotency key stands for */
        record Accepted(UUID task, Buffer json) implements Filed {}

        record Rejected(Refusal refusal) implements Filed {}

        /** The idempotency key was used with another body. */
        record Mismatch() implements Filed {}
    }
}
