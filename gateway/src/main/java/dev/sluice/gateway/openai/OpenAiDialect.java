package dev.sluice.gateway.openai;

import dev.sluice.gateway.body.UpstreamError;
import dev.sluice.gateway.http.Dialect;
import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.Problem;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.io.JsonStringEncoder;

/** Errors with all four keys, and comments that every tried client skips while it waits. */
public final class OpenAiDialect implements Dialect {
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
        return UpstreamError.inOneLine(upstreamBody, root -> root.path("error").isObject())
                .map(OpenAiDialect::event)
                .orElseGet(() -> failure(UpstreamError.unreadable(status), requestId));
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
