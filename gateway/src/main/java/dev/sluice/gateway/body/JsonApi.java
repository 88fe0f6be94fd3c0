package dev.sluice.gateway.body;

import dev.sluice.gateway.http.Api;
import dev.sluice.gateway.http.Dialect;
import dev.sluice.gateway.http.InferenceRequest;
import dev.sluice.gateway.http.Problem;
import dev.sluice.gateway.http.Reading;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;

/** An endpoint that takes a JSON object: rules for its fields, a measure of its prompt, and the words of its family. */
public abstract class JsonApi implements Api {
    private static final String VERSION = "/v1";

    private final Dialect dialect;
    private final String upstreamPath;
    private final BodyRules rules;
    private final PromptSize promptSize;

    /** @param upstreamPath below a provider's base URL */
    protected JsonApi(Dialect dialect, String upstreamPath, BodyRules rules, PromptSize promptSize) {
        this.dialect = dialect;
        this.upstreamPath = upstreamPath;
        this.rules = rules;
        this.promptSize = promptSize;
    }

    @Override
    public final String path() {
        return VERSION + upstreamPath;
    }

    @Override
    public final String upstreamPath() {
        return upstreamPath;
    }

    @Override
    public final Reading read(byte[] body) {
        return rules.read(body);
    }

    @Override
    public final byte[] whole(InferenceRequest request) {
        return WholeBody.of(request.body());
    }

    @Override
    public final Size size(InferenceRequest request, int threshold) {
        return promptSize.of(request.body(), threshold);
    }

    @Override
    public final int status(Problem problem) {
        return dialect.status(problem);
    }

    @Override
    public final Buffer body(Problem problem, String requestId) {
        return dialect.body(problem, requestId);
    }

    @Override
    public final Buffer failure(Problem problem, String requestId) {
        return dialect.failure(problem, requestId);
    }

    @Override
    public final Buffer failure(int status, Buffer upstreamBody, String requestId) {
        return dialect.failure(status, upstreamBody, requestId);
    }

    @Override
    public final Buffer queued(int position, Optional<Duration> eta) {
        return dialect.queued(position, eta);
    }
}
