package dev.sluice.gateway.anthropic;

import dev.sluice.gateway.body.BodyRules;
import dev.sluice.gateway.body.PromptSize;
import dev.sluice.gateway.body.WholeBody;
import dev.sluice.gateway.http.Api;
import dev.sluice.gateway.http.InferenceRequest;
import dev.sluice.gateway.http.Problem;
import dev.sluice.gateway.http.Reading;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;

/** What the endpoints of the Anthropic API have in common. */
abstract class AnthropicApi implements Api {
    private static final String VERSION = "/v1";
    private static final PromptSize PROMPT_SIZE = PromptSize.ofTexts("system", "messages", "tools");

    private final AnthropicDialect dialect;
    private final String upstreamPath;
    private final BodyRules rules;

    AnthropicApi(AnthropicDialect dialect, String upstreamPath, BodyRules rules) {
        this.dialect = dialect;
        this.upstreamPath = upstreamPath;
        this.rules = rules;
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
        return PROMPT_SIZE.of(request.body(), threshold);
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
