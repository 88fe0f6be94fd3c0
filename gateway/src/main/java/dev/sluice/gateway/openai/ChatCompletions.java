package dev.sluice.gateway.openai;

import dev.sluice.gateway.http.Api;
import dev.sluice.gateway.http.InferenceRequest;
import dev.sluice.gateway.http.Problem;
import dev.sluice.gateway.http.Reading;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;

/** {@code POST /v1/chat/completions}. */
public final class ChatCompletions implements Api {
    private final OpenAiDialect dialect;

    public ChatCompletions(OpenAiDialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public String path() {
        return "/v1/chat/completions";
    }

    @Override
    public String upstreamPath() {
        return "/chat/completions";
    }

    @Override
    public Reading read(byte[] body) {
        return ChatBody.read(body);
    }

    @Override
    public Size size(InferenceRequest request, int threshold) {
        return PromptSize.of(request.body(), threshold);
    }

    @Override
    public Buffer body(Problem problem) {
        return dialect.body(problem);
    }

    @Override
    public Buffer failure(Problem problem) {
        return dialect.failure(problem);
    }

    @Override
    public Buffer failure(int status, Buffer upstreamBody) {
        return dialect.failure(status, upstreamBody);
    }

    @Override
    public Buffer queued(int position, Optional<Duration> eta) {
        return dialect.queued(position, eta);
    }
}
