package dev.sluice.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.compat.BatchingClient.Ended;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client of OpenAI must show of files and batches, on a gateway with its own database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BatchContract {
    private static final String CHAT = "/v1/chat/completions";

    private EmbeddedGateway gateway;
    private BatchingClient client;

    abstract BatchingClient connect(String baseUrl);

    @BeforeAll
    void start() throws IOException {
        gateway = EmbeddedGateway.start("""
                platforms:
                  - id: fast
                    providers:
                      - {id: fast-1, type: simulated, capacity: 10,
                         simulated: {time-to-first-token: 5ms, tokens-per-second: 2000}}
                  - id: slow
                    providers: [{id: slow-1, type: simulated, capacity: 10, simulated: {time-to-first-token: 1h}}]
                models:
                  - {id: chat, served-by: [{platform: fast, model: m}]}
                  - {id: hold, served-by: [{platform: slow, model: m}]}
                """);
        client = connect(gateway.url());
    }

    @AfterAll
    void stop() throws IOException {
        if (gateway != null) {
            gateway.close();
        }
    }

    private static String line(String id, String model) {
        return line(id, CHAT, "\"model\":\"" + model + "\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]");
    }

    private static String line(String id, String endpoint, String fields) {
        return "{\"custom_id\":\"" + id + "\",\"method\":\"POST\",\"url\":\"" + endpoint + "\",\"body\":{" + fields
                + "}}\n";
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "/v1/chat/completions, `\"max_tokens\":4,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]`",
                "/v1/completions, `\"max_tokens\":4,\"prompt\":\"hi\"`",
                "/v1/embeddings, `\"input\":\"hi\"`",
                "/v1/responses, `\"max_output_tokens\":4,\"input\":\"hi\"`",
                "/v1/messages, `\"max_tokens\":4,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]`",
            })
    void aBatchGoesFromItsUploadToItsResults(String endpoint, String fields) {
        String lines = Stream.of("a", "b", "c")
                .map(id -> line(id, endpoint, "\"model\":\"chat\"," + fields))
                .collect(Collectors.joining());
        Ended ended = client.run(EmbeddedGateway.KEY, endpoint, lines);

        assertThat(ended.status()).isEqualTo("completed");
        assertThat(ended.total()).isEqualTo(3);
        assertThat(ended.completed()).isEqualTo(3);
        assertThat(ended.faults()).isEmpty();
        assertThat(ended.results()).containsExactly("a", "b", "c");
    }

    @Test
    void aFaultOfTheInputIsNamedWithItsLine() {
        Ended ended =
                client.run(EmbeddedGateway.KEY, CHAT, line("a", "chat") + line("b", "nobody") + line("a", "chat"));

        assertThat(ended.status()).isEqualTo("failed");
        assertThat(ended.faults()).containsExactly("2 model_not_found", "3 duplicate_custom_id");
        assertThat(ended.results()).isEmpty();
    }

    @Test
    void aBatchIsCancelled() {
        Ended ended = client.cancelled(EmbeddedGateway.KEY, CHAT, line("a", "hold") + line("b", "hold"));

        assertThat(ended.status()).isEqualTo("cancelled");
        assertThat(ended.completed()).isZero();
        assertThat(ended.results()).containsExactly("a", "b");
    }

    @Test
    void aFileIsListedAndDeleted() {
        assertThat(client.deletedFile(EmbeddedGateway.KEY, "{}\n")).isEqualTo(404);
    }
}
