package dev.sluice.gateway.upstream;

import io.vertx.core.Future;

/** One request that was sent to an upstream. */
public interface UpstreamCall {
    /** Stops reading the answer until {@link #resume}, so that the upstream feels the back-pressure. */
    void pause();

    void resume();

    /**
     * Gives the call up and ends its connection at once; harmless when it has ended.
     *
     * @return completed when the upstream has ended the connection too, or was reset since it took too
     *     long: only then may its slot be released
     */
    Future<Void> cancel();
}
