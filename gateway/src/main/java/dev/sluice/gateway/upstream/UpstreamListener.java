package dev.sluice.gateway.upstream;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;

/**
 * Hears one answer: {@code head}, then any number of {@code chunk}s, then {@code end}; {@code failed} may come instead
 * of any of them and is the last call. After {@link UpstreamCall#cancel} nothing is heard any more.
 */
public interface UpstreamListener {
    /** Asked just before the request leaves; if not, nothing is sent and nothing more is heard. */
    default boolean mayBegin() {
        return true;
    }

    void head(int status, MultiMap headers);

    void chunk(Buffer bytes);

    /** The answer is complete and the provider is done with it. */
    void end();

    void failed(UpstreamFailure failure);
}
