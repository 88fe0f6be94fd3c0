package dev.sluice.gateway.upstream;

import io.vertx.core.Future;

/** One request that was sent to an upstream. */
public interface UpstreamCall {
    /** Stops reading the answer until {@link #resume}, so that the upstream feels the back-pressure. */
    void pause();

    void resume();

    /**
     * Gives the call up and closes or resets its connection at once; harmless when it has ended.
     *
     * @return completed when our side of the connection is closed: only then may its slot be released
     */
    Future<Void> cancel();
}
