package dev.sluice.gateway.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@code sluice serve} runs without a file: simulated models, and one key that it prints. */
public sealed interface QuickStart {

    /** @param key to be printed at each start */
    record Ready(Configuration configuration, ApiKey key) implements QuickStart {}

    /** @param reason one line for the operator */
    record Refused(String reason) implements QuickStart {}

    /**
     * @param dataDir where the key is kept; made if absent
     * @param listen address given on the command line
     * @param adminListen address given on the command line
     */
    static QuickStart prepare(
            Path dataDir, Optional<ListenAddress> listen, Optional<ListenAddress> adminListen, SecureRandom random) {
        ListenAddress data = listen.orElse(Configuration.LISTEN);
        ListenAddress admin = adminListen.orElse(Admin.LISTEN);
        for (ListenAddress address : List.of(data, admin)) {
            if (!address.isLoopback()) {
                return new Refused("without --config FILE the printed key and models are for this machine only;"
                        + " give a loopback address such as 127.0.0.1:8080 instead of " + address);
            }
        }
        Path file = dataDir.resolve(QuickStartKey.NAME);
        try {
            ListenAddress.requireFree(List.of(data, admin));
            return QuickStartKey.keep(dataDir, random)
                    .<QuickStart>map(
                            key -> new Ready(configuration(key, dataDir).listeningAt(data, admin), key))
                    .orElseGet(() -> new Refused(file + " holds no key; delete it and a new one is made"));
        } catch (IllegalStateException e) {
            return new Refused("cannot start: " + e.getMessage());
        } catch (IOException e) {
            return new Refused(
                    file + " cannot be read or written: " + e.getClass().getSimpleName());
        }
    }

    private static Configuration configuration(ApiKey key, Path dataDir) {
        Environment environment = Environment.of(Map.of("SLUICE_QUICKSTART_SHA256", key.sha256()));
        return switch (ConfigurationFile.parse("quickstart.yaml", yaml(), environment)) {
            case Verdict.Loaded(Configuration configuration) -> configuration.keptIn(dataDir);
            case Verdict.Faulty(List<FileFault> faults) ->
                throw new IllegalStateException("the built-in configuration is faulty: " + faults);
        };
    }

    private static String yaml() {
        try (InputStream in = QuickStart.class.getResourceAsStream("quickstart.yaml")) {
            if (in == null) {
                throw new IllegalStateException("quickstart.yaml is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
