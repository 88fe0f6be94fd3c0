package dev.sluice.gateway.http;

import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/** What an API adds whose answers are kept, and whose requests may go on from an earlier answer. */
public interface KeptAnswers {
    /**
     * Makes a request complete. Takes as long as reading the body, and completes on any thread.
     *
     * @param async whether the client asked not to wait by its headers
     */
    CompletionStage<Prepared> prepare(String group, InferenceRequest request, boolean async);

    /** A request whose answer is not kept here, as an upstream gets it; invalid if it needs an answer to be kept. */
    Reading alone(InferenceRequest request);

    /** What became of it. */
    sealed interface Prepared {
        record Refused(Problem problem) implements Prepared {}

        /**
         * @param request what an upstream gets, but for the model
         * @param recording of the answer that its client waits for
         * @param background present if nobody waits for the answer, and what is to be kept of it then
         */
        record Ready(InferenceRequest request, Recording recording, Optional<Filing.Background> background)
                implements Prepared {}
    }

    /**
     * The response that {@code task} was filed to make.
     *
     * @param fresh whether that was just now, so that its client is told of the place it got in the queue
     */
    CompletionStage<Reply> filed(String group, UUID task, boolean fresh);

    CompletionStage<Reply> show(String group, String id);

    /** Ends a response that is made in the background, within a second; one that has ended stays as it is. */
    CompletionStage<Reply> cancel(String group, String id);

    /** Ends it, and purges everything that was kept of it. */
    CompletionStage<Reply> delete(String group, String id);

    /** The items that it is an answer to. */
    CompletionStage<Reply> inputItems(String group, String id, Page page);

    /**
     * The events of a response in the background.
     *
     * @param after the number of the last one that is known, -1 for none
     */
    CompletionStage<Reply> follow(String group, String id, long after);

    /** What a client gets. */
    sealed interface Reply {
        record Json(Buffer body) implements Reply {}

        record Events(Chronicle chronicle) implements Reply {}

        record Refused(Problem problem) implements Reply {}
    }

    /**
     * A part of a list.
     *
     * @param limit 1 to 100
     * @param after the id of the last item that is known
     */
    record Page(int limit, boolean ascending, Optional<String> after) {}
}
