package dev.sluice.gateway.upstream;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;

/**
 * A POST to an upstream.
 *
 * @param path below the provider's base URL, for example {@code /chat/completions}
 * @param headers those of the client that may pass; the upstream adds its credentials and the content's length
 */
public record UpstreamRequest(String path, MultiMap headers, Buffer body) {
    public UpstreamRequest {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("a path starts with a slash, not " + path);
        }
    }
}
