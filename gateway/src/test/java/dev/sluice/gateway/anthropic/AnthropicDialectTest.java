package dev.sluice.gateway.anthropic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.Problem;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AnthropicDialectTest {
    private final AnthropicDialect dialect = new AnthropicDialect();

    @ParameterizedTest
    @CsvSource(textBlock = """
            QUEUE_FULL, 429, rate_limit_error
            CONCURRENCY_LIMIT_EXCEEDED, 429, rate_limit_error
            QUEUE_TIMEOUT, 429, rate_limit_error
            RATE_LIMIT_EXCEEDED, 429, rate_limit_error
            NO_CAPACITY, 529, overloaded_error
            BUFFERS_FULL, 529, overloaded_error
            SHUTTING_DOWN, 503, api_error
            ADMISSION_UNAVAILABLE, 503, api_error
            EVICTED, 503, api_error
            UPSTREAM_ERROR, 502, api_error
            UPSTREAM_TIMEOUT, 504, timeout_error
            INTERNAL_ERROR, 500, api_error
            MODEL_NOT_FOUND, 404, not_found_error
            NOT_FOUND, 404, not_found_error
            METHOD_NOT_ALLOWED, 405, invalid_request_error
            UNSUPPORTED_MEDIA_TYPE, 415, invalid_request_error
            INVALID_API_KEY, 401, authentication_error
            MODEL_NOT_ALLOWED, 403, permission_error
            INVALID_REQUEST, 400, invalid_request_error
            INVALID_HEADER, 400, invalid_request_error
            AMOUNT_UNSATISFIABLE, 400, invalid_request_error
            REQUEST_TIMEOUT, 408, timeout_error
            REQUEST_TOO_LARGE, 413, request_too_large
            HEADERS_TOO_LARGE, 431, invalid_request_error
            SUPERSEDED, 409, conflict_error
            IDEMPOTENCY_IN_PROGRESS, 409, conflict_error
            IDEMPOTENCY_MISMATCH, 422, invalid_request_error
            """)
    void eachFaultHasAStatusAndATypeOfTheApi(Fault fault, int status, String type) {
        Problem problem = Problem.of(fault, "what happened");

        assertThat(dialect.status(problem)).isEqualTo(status);
        assertThat(dialect.body(problem, "id-1").toString())
                .isEqualTo("{\"type\":\"error\",\"error\":{\"type\":\"" + type
                        + "\",\"message\":\"what happened\"},\"request_id\":\"id-1\"}");
    }

    @Test
    void anErrorWithinAStreamIsAnEventOfItsOwn() {
        Problem problem = Problem.of(Fault.UPSTREAM_ERROR, "say \"hi\"\n");

        assertThat(dialect.failure(problem, "").toString())
                .isEqualTo("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\","
                        + "\"message\":\"say \\\"hi\\\"\\n\"},\"request_id\":null}\n\n");
    }

    @Test
    void anUpstreamsErrorBecomesOneLine() {
        Buffer theirs = Buffer.buffer("{\n\"type\":\"error\", \"error\" : {\"type\":\"x\",\"message\":\"a\\nb\"}\n}");

        assertThat(dialect.failure(400, theirs, "id").toString())
                .isEqualTo(
                        "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"x\",\"message\":\"a\\nb\"}}\n\n");
        assertThat(dialect.failure(503, Buffer.buffer("<html>"), "id").toString())
                .startsWith("event: error\n")
                .contains("\"api_error\"", "503", "\"request_id\":\"id\"");
    }

    @Test
    void whileItWaitsAStreamIsPinged() {
        assertThat(dialect.queued(3, Optional.empty()).toString())
                .isEqualTo("event: ping\ndata: {\"type\":\"ping\"}\n\n");
    }
}
