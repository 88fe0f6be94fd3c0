package dev.sluice.gateway.anthropic;

import dev.sluice.gateway.http.Dialect;
import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.Problem;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.io.JsonStringEncoder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Errors in Anthropic's shape, and pings while a stream waits. */
public final class AnthropicDialect implements Dialect {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Buffer PING = Buffer.buffer("event: ping\ndata: {\"type\":\"ping\"}\n\n");
    private static final int OVERLOADED = 529;

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
        try {
            JsonNode root = JSON.readTree(upstreamBody.getBytes());
            if (root.path("type").asString("").equals("error")
                    && root.path("error").isObject()) {
                // Written anew, since an event's data must not contain the line breaks that JSON may.
                return event(JSON.writeValueAsString(root));
            }
        } catch (JacksonException e) {
            // Not JSON: our own words below.
        }
        String message = "The upstream answered with status " + status + ".";
        return failure(Problem.of(Fault.UPSTREAM_ERROR, message), requestId);
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
