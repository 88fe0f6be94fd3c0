package dev.sluice.gateway.http;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;

/** How one API family puts into bytes what the gateway itself says. */
public interface Dialect {
    /** The status of an error before the head was sent. */
    default int status(Problem problem) {
        return problem.fault().status();
    }

    /**
     * The JSON body of an error before the head was sent.
     *
     * @param requestId empty if the request has none
     */
    Buffer body(Problem problem, String requestId);

    /** The last event of a stream that fails after status 200. */
    Buffer failure(Problem problem, String requestId);

    /** The last event of a stream whose upstream refused after status 200: the upstream's own JSON, if it is that. */
    Buffer failure(int status, Buffer upstreamBody, String requestId);

    /** What a waiting stream shows. */
    Buffer queued(int position, Optional<Duration> eta);
}
