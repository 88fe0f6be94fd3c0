package dev.sluice.gateway.http;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;

/** How one API family puts into bytes what the gateway itself says. */
public interface Dialect {
    /** The JSON body of an error before the head was sent. */
    Buffer body(Problem problem);

    /** The last event of a stream that fails after status 200. */
    Buffer failure(Problem problem);

    /** The last event of a stream whose upstream refused after status 200: the upstream's own JSON, if it is that. */
    Buffer failure(int status, Buffer upstreamBody);

    /** What a waiting stream shows. */
    Buffer queued(int position, Optional<Duration> eta);
}
