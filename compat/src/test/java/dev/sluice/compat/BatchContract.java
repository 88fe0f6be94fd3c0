package dev.sluice.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.compat.BatchingClient.Ended;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.config.ApiKey;
import dev.sluice.gateway.config.ConfigurationFile;
import dev.sluice.gateway.config.ConfigurationSource;
import dev.sluice.gateway.config.Environment;
import dev.sluice.gateway.config.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What a client of OpenAI must show of files and batches, on a gateway with its own database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BatchContract {
    private static final String KEY = "sk-compat-batches-0123456789abcdefghijklmn";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private static Path folder;

    private Gateway gateway;
    private BatchingClient client;

    abstract BatchingClient connect(String baseUrl);

    @BeforeAll
    void start() throws IOException {
        // The server may run as another user, to whom JUnit's folder is closed.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        String yaml = """
                listen: 127.0.0.1:0
                admin: {listen: "127.0.0.1:0"}
                database: {mode: embedded, dir: "%s"}
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
                groups:
                  - {id: batching, keys: [{name: k, sha256: "%s"}]}
                """.formatted(folder.resolve("data"), ApiKey.sha256(KEY));
        gateway = switch (ConfigurationFile.parse("compat.yaml", yaml, Environment.of(Map.of()))) {
            case Verdict.Loaded loaded -> Gateway.start(ConfigurationSource.fixed(loaded.configuration()), line -> {});
            case Verdict.Faulty faulty -> throw new AssertionError("the test's configuration: " + faulty.faults());
        };
        client = connect("http://" + gateway.listening() + "/v1");
    }

    @AfterAll
    void stop() {
        if (gateway != null) {
            gateway.close();
        }
    }

    private static String line(String id, String model) {
        return "{\"custom_id\":\"" + id
                + "\",\"method\":\"POST\",\"url\":\"/v1/chat/completions\",\"body\":{\"model\":\"" + model
                + "\",\"max_tokens\":4,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}}\n";
    }

    @Test
    void aBatchGoesFromItsUploadToItsResults() {
        Ended ended = client.run(KEY, line("a", "chat") + line("b", "chat") + line("c", "chat"));

        assertThat(ended.status()).isEqualTo("completed");
        assertThat(ended.total()).isEqualTo(3);
        assertThat(ended.completed()).isEqualTo(3);
        assertThat(ended.faults()).isEmpty();
        assertThat(ended.results()).containsExactly("a", "b", "c");
    }

    @Test
    void aFaultOfTheInputIsNamedWithItsLine() {
        Ended ended = client.run(KEY, line("a", "chat") + line("b", "nobody") + line("a", "chat"));

        assertThat(ended.status()).isEqualTo("failed");
        assertThat(ended.faults()).containsExactly("2 model_not_found", "3 duplicate_custom_id");
        assertThat(ended.results()).isEmpty();
    }

    @Test
    void aBatchIsCancelled() {
        Ended ended = client.cancelled(KEY, line("a", "hold") + line("b", "hold"));

        assertThat(ended.status()).isEqualTo("cancelled");
        assertThat(ended.completed()).isZero();
        assertThat(ended.results()).containsExactly("a", "b");
    }

    @Test
    void aFileIsListedAndDeleted() {
        assertThat(client.deletedFile(KEY, "{}\n")).isEqualTo(404);
    }
}
