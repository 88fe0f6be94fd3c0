package dev.sluice.gateway.responses;

import dev.sluice.gateway.http.Dialect;
import dev.sluice.gateway.http.Problem;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** OpenAI's words, but a stream that fails after status 200 ends with the event {@code response.failed}. */
final class ResponsesDialect implements Dialect {
    /**
     * What a stream has said.
     *
     * @param response its latest response object
     * @param next the number of its next event
     */
    record Said(Optional<ObjectNode> response, String model, long next) {}

    static final Supplier<Said> NOTHING_YET = () -> new Said(Optional.empty(), "", 0);

    private final Dialect openAi;
    private final InstantSource clock;
    private final Supplier<Said> said;

    ResponsesDialect(Dialect openAi, InstantSource clock, Supplier<Said> said) {
        this.openAi = openAi;
        this.clock = clock;
        this.said = said;
    }

    @Override
    public int status(Problem problem) {
        return openAi.status(problem);
    }

    @Override
    public Buffer body(Problem problem, String requestId) {
        return openAi.body(problem, requestId);
    }

    @Override
    public Buffer queued(int position, Optional<Duration> eta) {
        return openAi.queued(position, eta);
    }

    @Override
    public Buffer failure(Problem problem, String requestId) {
        return failed(problem.fault().code(), problem.message(), requestId);
    }

    @Override
    public Buffer failure(int status, Buffer upstreamBody, String requestId) {
        JsonNode error = Json.object(upstreamBody.getBytes())
                .<JsonNode>map(root -> root.path("error"))
                .orElseGet(Json::object);
        return failed(
                error.path("code").asString("upstream_error"),
                error.path("message").asString("The upstream answered with status " + status + "."),
                requestId);
    }

    private Buffer failed(String code, String message, String requestId) {
        Said before = said.get();
        ObjectNode object = before.response()
                .orElseGet(() -> ResponseObject.empty(
                        ResponseObject.id(requestId),
                        before.model(),
                        clock.instant().getEpochSecond()));
        ObjectNode data = Json.object().put("type", "response.failed").put("sequence_number", before.next());
        data.set("response", ResponseObject.failed(object, code, message));
        return Json.event(data);
    }
}
