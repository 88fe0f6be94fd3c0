package dev.sluice.gateway.openai;

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

/** Errors with all four keys, and comments that every tried client skips while it waits. */
public final class OpenAiDialect implements Dialect {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Override
    public Buffer body(Problem problem, String requestId) {
        return Buffer.buffer(json(problem));
    }

    @Override
    public Buffer failure(Problem problem, String requestId) {
        return event(json(problem));
    }

    @Override
    public Buffer failure(int status, Buffer upstreamBody, String requestId) {
        try {
            JsonNode root = JSON.readTree(upstreamBody.getBytes());
            if (root.path("error").isObject()) {
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
        String known = eta.map(
                        wait -> " eta=" + Math.max(1, wait.plusMillis(999).toSeconds()) + "s")
                .orElse("");
        return Buffer.buffer(": queued position=" + position + known + "\n\n");
    }

    private static Buffer event(String data) {
        return Buffer.buffer("data: " + data + "\n\n");
    }

    private static String json(Problem problem) {
        Fault fault = problem.fault();
        return "{\"error\":{\"message\":" + quote(problem.message()) + ",\"type\":\"" + fault.type() + "\",\"param\":"
                + problem.param().map(OpenAiDialect::quote).orElse("null") + ",\"code\":\"" + fault.code() + "\"}}";
    }

    private static String quote(String text) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsCharArray(text)) + '"';
    }
}
