package dev.sluice.compat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every example that a reader of the documentation copies, carried out as it stands on an embedded database. */
@DisplayName("The documentation's examples")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DocumentedExamplesTest {
    private EmbeddedGateway gateway;
    private Path folder;

    @BeforeAll
    void startGateway() throws IOException {
        gateway = EmbeddedGateway.start("""
                platforms:
                  - id: sim
                    providers:
                      - {id: sim-a, type: simulated, capacity: 2,
                         simulated: {time-to-first-token: 20ms, tokens-per-second: 400}}
                models:
                  - {id: sim-small, served-by: [{platform: sim, model: small}]}
                  - {id: sim-large, served-by: [{platform: sim, model: large}]}
                """);
        folder = gateway.folder();
        Files.createDirectory(folder.resolve("data"));
        Files.writeString(folder.resolve("data/quickstart-key"), EmbeddedGateway.KEY + "\n");
        // An answer that is an error ends curl with one.
        Files.writeString(folder.resolve(".curlrc"), "fail-with-body\nno-progress-meter\nmax-time = 60\n");
    }

    @AfterAll
    void stopGateway() throws IOException {
        if (gateway != null) {
            gateway.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/quickstart.md", "docs/api.md"})
    void whatIsGivenToCurlIsAnswered(String page) throws IOException, InterruptedException {
        try (Tap tap = Tap.before(gateway.port())) {
            run(tap, Examples.of(page).shell(), ".sh", "bash");
            assertThat(tap.paths()).as("requests of " + page).isNotEmpty();
        }
    }

    @Test
    void eachEndpointHasACurlThatIsAnsweredAndAClientThatUnderstandsTheAnswer()
            throws IOException, InterruptedException {
        Examples page = Examples.of("docs/api.md");
        NodeProcess.install();
        try (Tap curl = Tap.before(gateway.port());
                Tap client = Tap.before(gateway.port())) {
            run(curl, page.shell(), ".sh", "bash");
            run(client, page.javaScript(), ".mjs", Tool.NODE.find().toString());

            assertThat(curl.paths().map(Examples::template)).containsAll(page.endpoints());
            assertThat(client.paths().map(Examples::template)).containsAll(page.endpoints());
        }
    }

    private void run(Tap tap, String script, String suffix, String program) throws IOException, InterruptedException {
        Path where = suffix.equals(".mjs") ? NodeProcess.FOLDER.toAbsolutePath() : folder;
        Path file = Files.createTempFile(where, "examples", suffix);
        Path log = folder.resolve("log");
        Files.writeString(
                file,
                script.replace("http://127.0.0.1:8080", tap.bareUrl())
                        .replace("http://127.0.0.1:9090", "http://127.0.0.1:" + gateway.adminPort()));
        ProcessBuilder builder = new ProcessBuilder(program, file.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("CURL_HOME", folder.toString());
        builder.environment().put("KEY", EmbeddedGateway.KEY);
        Process process = builder.start();
        boolean ended = process.waitFor(120, SECONDS);
        process.destroyForcibly();
        Files.delete(file);
        assertThat(ended)
                .as("it ends within two minutes: %s", Files.readString(log, UTF_8))
                .isTrue();
        assertThat(process.exitValue()).as(Files.readString(log, UTF_8)).isZero();
    }
}
