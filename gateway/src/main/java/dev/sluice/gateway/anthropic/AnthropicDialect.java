package dev.sluice.gateway.anthropic;

import dev.sluice.gateway.body.PromptSize;
import dev.sluice.gateway.body.UpstreamError;
import dev.sluice.gateway.http.Dialect;
import dev.sluice.gateway.http.Problem;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.io.JsonStringEncoder;

/** Errors in Anthropic's shape, and pings while a stream waits. */
public final class AnthropicDialect implements Dialect {
    private static final Buffer PING = Buffer.buffer("event: ping\ndata: {\"type\":\"ping\"}\n\n");
    private static final int OVERLOADED = 529;

    /** Where a message keeps its prompt. */
    static final PromptSize PROMPT_SIZE = PromptSize.ofTexts("system", "messages", "tools");

    @Override
    public int status(Problem problem) {
        return switch (problem.fault()) {
            case QUEUE_FULL, CONCURRENCY_LIMIT_EXCEEDED, QUEUE_TIMEOUT -> problem.sharedCapacity() ? OVERLOADED : 429;
            case NO_CAPACITY, BUFFERS_FULL -> OVERLOADED;
            default -> problem.fault().status();
        };
    }

    @Override
    public Buffer body(Problem problem, String requestId) {
        return Buffer.buffer(json(problem, requestId));
    }

    @Override
    public Buffer failure(Problem problem, String requestId) {
        return event(json(problem, requestId));
    }

    @Override
    public Buffer failure(int status, Buffer upstreamBody, String requestId) {
        return UpstreamError.inOneLine(
                        upstreamBody,
                        root -> root.path("type").asString("").equals("error")
                                && root.path("error").isObject())
                .map(AnthropicDialect::event)
                .orElseGet(() -> failure(UpstreamError.unreadable(status), requestId));
    }

    @Override
    public Buffer queued(int position, Optional<Duration> eta) {
        return PING;
    }

    private String json(Problem problem, String requestId) {
        String id = requestId.isEmpty() ? "null" : quote(requestId);
        return "{\"type\":\"error\",\"error\":{\"type\":\"" + type(problem) + "\",\"message\":"
                + quote(problem.message()) + "},\"request_id\":" + id + "}";
    }

    private String type(Problem problem) {
        return switch (status(problem)) {
            case 401 -> "authentication_error";
            case 403 -> "permission_error";
            case 404 -> "not_found_error";
            case 408, 504 -> "timeout_error";
            case 409 -> "conflict_error";
            case 413 -> "request_too_large";
            case 429 -> "rate_limit_error";
            case 500, 502, 503 -> "api_error";
            case OVERLOADED -> "overloaded_error";
            default -> "invalid_request_error";
        };
    }

    private static Buffer event(String data) {
        return Buffer.buffer("event: error\ndata: " + data + "\n\n");
    }

    private static String quote(String text) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsCharArray(text)) + '"';
    }
}
