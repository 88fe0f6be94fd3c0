package dev.sluice.compat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every example that a reader of the documentation copies, carried out as it stands on an embedded database. */
@DisplayName("The documentation's examples")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DocumentedExamplesTest {
    private static final String KEY = "sk-examples-of-the-documentation-0123456789";

    private Path folder;
    private Gateway gateway;

    @BeforeAll
    void startGateway() throws IOException {
        // The database runs as an ordinary user, who must be able to reach its folder.
        folder = Files.createTempDirectory(
                "sluice-examples", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Files.createDirectory(folder.resolve("data"));
        Files.writeString(folder.resolve("data/quickstart-key"), KEY + "\n");
        // An answer that is an error ends curl with one.
        Files.writeString(folder.resolve(".curlrc"), "fail-with-body\nno-progress-meter\nmax-time = 60\n");
        String yaml = """
                listen: 127.0.0.1:0
                admin: {listen: "127.0.0.1:0"}
                database: {dir: %s}
                platforms:
                  - id: sim
                    providers:
                      - {id: sim-a, type: simulated, capacity: 2,
                         simulated: {time-to-first-token: 20ms, tokens-per-second: 400}}
                models:
                  - {id: sim-small, served-by: [{platform: sim, model: small}]}
                  - {id: sim-large, served-by: [{platform: sim, model: large}]}
                groups:
                  - id: everyone
                    keys: [{name: test, sha256: "%s"}]
                    webhooks: [{id: done, url: "http://127.0.0.1:9/", secret: whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz}]
                """.formatted(folder.resolve("database"), ApiKey.sha256(KEY));
        gateway = switch (ConfigurationFile.parse("examples.yaml", yaml, Environment.of(Map.of()))) {
            case Verdict.Loaded loaded -> Gateway.start(ConfigurationSource.fixed(loaded.configuration()), line -> {});
            case Verdict.Faulty faulty ->
                throw new AssertionError(faulty.faults().toString());
        };
    }

    @AfterAll
    void stopGateway() throws IOException {
        if (gateway != null) {
            gateway.close();
        }
        try (var files = Files.walk(folder)) {
            for (Path file : files.toList().reversed()) {
                Files.delete(file);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/quickstart.md", "docs/api.md"})
    void whatIsGivenToCurlIsAnswered(String page) throws IOException, InterruptedException {
        try (Tap tap = Tap.before(gateway.listening().port())) {
            run(tap, Examples.of(page).shell(), ".sh", "bash");
            assertThat(tap.paths()).as("requests of " + page).isNotEmpty();
        }
    }

    @Test
    void eachEndpointHasACurlThatIsAnsweredAndAClientThatUnderstandsTheAnswer()
            throws IOException, InterruptedException {
        Examples page = Examples.of("docs/api.md");
        NodeProcess.install();
        try (Tap curl = Tap.before(gateway.listening().port());
                Tap client = Tap.before(gateway.listening().port())) {
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
                        .replace(
                                "http://127.0.0.1:9090",
                                "http://127.0.0.1:" + gateway.adminListening().port()));
        ProcessBuilder builder = new ProcessBuilder(program, file.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("CURL_HOME", folder.toString());
        builder.environment().put("KEY", KEY);
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
