package dev.sluice.gateway.http;

import io.vertx.core.buffer.Buffer;
import java.util.concurrent.CompletionStage;

/**
 * An answer that is written down while it passes to its client. On one event loop; the stages complete on any thread,
 * and never with a failure: an answer that could not be kept reaches its client all the same.
 */
public interface Recording {
    /** How the gateway speaks within this answer. */
    Dialect dialect();

    /** What it keeps of the request in memory until the answer has ended. */
    long heldBytes();

    void head(int status, boolean eventStream);

    /** @return completed when these bytes may leave; those that come later wait for that, too */
    CompletionStage<Void> chunk(Buffer bytes);

    /** Whether the client needs nothing of what may still come. */
    boolean isComplete();

    /** @return completed when the end may leave */
    CompletionStage<Void> end();
}
