package dev.sluice.gateway.body;

import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.Problem;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an upstream says of its refusal, to be passed on within a stream. */
public final class UpstreamError {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private UpstreamError() {}

    /**
     * The upstream's own words in one line, since an event's data must not contain the line breaks that JSON may.
     *
     * @param isError whether it is an error of the API that the client speaks
     */
    public static Optional<String> inOneLine(Buffer body, Predicate<JsonNode> isError) {
        try {
            JsonNode root = JSON.readTree(body.getBytes());
            return isError.test(root) ? Optional.of(JSON.writeValueAsString(root)) : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** Our words, where the upstream has none that a client would understand. */
    public static Problem unreadable(int status) {
        return Problem.of(Fault.UPSTREAM_ERROR, "The upstream answered with status " + status + ".");
    }
}
