package dev.sluice.gateway.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.Problem;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class OpenAiDialectTest {
    private final OpenAiDialect dialect = new OpenAiDialect();

    @Test
    void anErrorHasAllFourKeysAndIsEscaped() {
        assertThat(dialect.body(
                                Problem.of(Fault.INVALID_REQUEST, "say \"hi\"\n")
                                        .at("a\"b"),
                                "id")
                        .toString())
                .isEqualTo("{\"error\":{\"message\":\"say \\\"hi\\\"\\n\",\"type\":\"invalid_request_error\","
                        + "\"param\":\"a\\\"b\",\"code\":\"invalid_request\"}}");
        assertThat(dialect.body(Problem.of(Fault.NOT_FOUND, "no"), "").toString())
                .contains("\"param\":null");
    }

    @Test
    void whileItWaitsAStreamShowsAComment() {
        assertThat(dialect.queued(3, Optional.of(Duration.ofMillis(11_500))).toString())
                .isEqualTo(": queued position=3 eta=12s\n\n");
        assertThat(dialect.queued(1, Optional.of(Duration.ZERO)).toString())
                .isEqualTo(": queued position=1 eta=1s\n\n");
        assertThat(dialect.queued(2, Optional.empty()).toString()).isEqualTo(": queued position=2\n\n");
    }

    @Test
    void anUpstreamsErrorBecomesOneLine() {
        assertThat(dialect.failure(400, Buffer.buffer("{\n\"error\" : {\"message\":\"a\\nb\"}\n}"), "id")
                        .toString())
                .isEqualTo("data: {\"error\":{\"message\":\"a\\nb\"}}\n\n");
        assertThat(dialect.failure(503, Buffer.buffer("<html>"), "id").toString())
                .contains("upstream_error", "503");
    }
}
