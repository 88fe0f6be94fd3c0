package dev.sluice.compat;

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

/** A gateway with a database of its own, one group with a key and a webhook that nobody hears, and a folder that is gone in the end. */
final class EmbeddedGateway implements AutoCloseable {
    static final String KEY = "sk-through-official-clients-0123456789abcdef";

    private final Path folder;
    private final Gateway gateway;

    private EmbeddedGateway(Path folder, Gateway gateway) {
        this.folder = folder;
        this.gateway = gateway;
    }

    /** @param models of the configuration, and the platforms that serve them */
    static EmbeddedGateway start(String models) throws IOException {
        // The database runs as an ordinary user, who must be able to reach its folder.
        Path folder = Files.createTempDirectory(
                "sluice-compat", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        String yaml = """
                listen: 127.0.0.1:0
                admin: {listen: "127.0.0.1:0"}
                database: {mode: embedded, dir: "%s"}
                groups:
                  - id: everyone
                    keys: [{name: test, sha256: "%s"}]
                    webhooks: [{id: done, url: "http://127.0.0.1:9/", secret: whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz}]
                """.formatted(folder.resolve("database"), ApiKey.sha256(KEY)) + models;
        return switch (ConfigurationFile.parse("compat.yaml", yaml, Environment.of(Map.of()))) {
            case Verdict.Loaded loaded ->
                new EmbeddedGateway(
                        folder, Gateway.start(ConfigurationSource.fixed(loaded.configuration()), line -> {}));
            case Verdict.Faulty faulty -> throw new AssertionError("the test's configuration: " + faulty.faults());
        };
    }

    Path folder() {
        return folder;
    }

    int port() {
        return gateway.listening().port();
    }

    int adminPort() {
        return gateway.adminListening().port();
    }

    /** What OpenAI's clients take for their base URL. */
    String url() {
        return "http://127.0.0.1:" + port() + "/v1";
    }

    @Override
    public void close() throws IOException {
        gateway.close();
        try (var files = Files.walk(folder)) {
            for (Path file : files.toList().reversed()) {
                Files.delete(file);
            }
        }
    }
}
