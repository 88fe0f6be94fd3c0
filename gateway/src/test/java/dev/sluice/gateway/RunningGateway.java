package dev.sluice.gateway;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Snapshot;
import dev.sluice.admission.Snapshot.ScopeView;
import dev.sluice.gateway.config.ApiKey;
import dev.sluice.gateway.config.ConfigurationFile;
import dev.sluice.gateway.config.ConfigurationSource;
import dev.sluice.gateway.config.Environment;
import dev.sluice.gateway.config.FileFault;
import dev.sluice.gateway.config.Verdict;
import dev.sluice.gateway.http.Patience;
import dev.sluice.gateway.tasks.Step;
import dev.sluice.postgres.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;

/** A gateway on free loopback ports, configured by YAML in the test itself. */
public final class RunningGateway implements AutoCloseable {
    public static final String KEY = "sk-test-key-of-the-group-research-0123456789";
    public static final String OTHER_KEY = "sk-test-key-of-the-group-visitors-0123456789";
    public static final Patience SHORT = new Patience(
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofMillis(500),
            Duration.ofMillis(500));

    private final Gateway gateway;

    private RunningGateway(Gateway gateway) {
        this.gateway = gateway;
    }

    /** @param yaml everything but addresses and database */
    public static RunningGateway start(String yaml) {
        return start(yaml, Patience.DEFAULT);
    }

    public static RunningGateway start(String yaml, Patience patience) {
        return start(yaml, patience, 2);
    }

    public static RunningGateway startWithToken(String yaml, String token) {
        return start("admin: {listen: \"127.0.0.1:0\", token: " + token + "}\n", yaml, Patience.DEFAULT, 2);
    }

    public static RunningGateway start(String yaml, Patience patience, int loops) {
        return start("admin: {listen: \"127.0.0.1:0\"}\n", yaml, patience, loops);
    }

    /** Serves what a file holds, which a reload may change; the addresses are in it. */
    public static RunningGateway startFrom(Path file, Map<String, String> environment) {
        return switch (ConfigurationSource.open(file, Environment.of(environment), read -> read)) {
            case ConfigurationSource.Opening.Opened(ConfigurationSource source) ->
                new RunningGateway(Gateway.start(source, 2, Patience.DEFAULT));
            case ConfigurationSource.Opening.Refused(List<FileFault> faults) ->
                throw new AssertionError("the test's configuration: " + faults);
        };
    }

    private static RunningGateway start(String admin, String yaml, Patience patience, int loops) {
        return start("database: {mode: memory}\n" + admin, yaml, patience, loops, (step, task) -> {});
    }

    /** On a database, which several of them may share. */
    public static RunningGateway startOn(TestDatabase database, String yaml) {
        return startOn(database, yaml, (step, task) -> {});
    }

    /** @param steps told of each step of each task that it executes */
    public static RunningGateway startOn(TestDatabase database, String yaml, BiConsumer<Step, UUID> steps) {
        String head = """
                admin: {listen: "127.0.0.1:0", token: operator}
                database: {mode: external, url: "%s", schema: %s, user: "%s", password: "%s"}
                """.formatted(database.serverUrl(), database.schema(), database.user(), database.password());
        RunningGateway running = start(head, yaml, Patience.DEFAULT, 1, steps);
        await("it reaches its database")
                .atMost(20, SECONDS)
                .until(() -> RawClient.exchange(running.port(), "GET /readyz HTTP/1.1\r\nhost: g\r\n\r\n")
                                .status()
                        == 200);
        return running;
    }

    /** @param database the value of {@code database}; whether it can be reached is for the test to say */
    public static RunningGateway startOn(String database, String yaml) {
        return start(
                "admin: {listen: \"127.0.0.1:0\"}\ndatabase: " + database + "\n",
                yaml,
                Patience.DEFAULT,
                2,
                (step, task) -> {});
    }

    private static RunningGateway start(
            String head, String yaml, Patience patience, int loops, BiConsumer<Step, UUID> steps) {
        String whole = "listen: 127.0.0.1:0\n" + head + yaml;
        Environment keys =
                Environment.of(Map.of("KEY_SHA256", ApiKey.sha256(KEY), "OTHER_KEY_SHA256", ApiKey.sha256(OTHER_KEY)));
        return switch (ConfigurationFile.parse("test.yaml", whole, keys)) {
            case Verdict.Loaded loaded ->
                new RunningGateway(Gateway.start(
                        ConfigurationSource.fixed(loaded.configuration()), loops, patience, line -> {}, steps));
            case Verdict.Faulty faulty -> throw new AssertionError("the test's configuration: " + faulty.faults());
        };
    }

    /** One model {@code chat} on one provider {@code up-1} at {@code url}, with two groups. */
    public static String oneProvider(String url, int capacity, String concurrency) {
        return """
                platforms:
                  - id: here
                    providers:
                      - {id: up-1, base-url: "%s", api-key: upstream-secret, capacity: %d}
                models:
                  - id: chat
                    served-by: [{platform: here, model: served/name, concurrency: %s}]
                  - id: other
                    served-by: [{platform: here, model: another}]
                %s""".formatted(url, capacity, concurrency, groups());
    }

    public static String groups() {
        return """
                groups:
                  - id: research
                    priority: 100
                    best-priority: 10
                    keys: [{name: ci, sha256: "${ENV:KEY_SHA256}"}]
                  - id: visitors
                    models: [other]
                    keys: [{name: door, sha256: "${ENV:OTHER_KEY_SHA256}"}]
                """;
    }

    public Gateway gateway() {
        return gateway;
    }

    public int port() {
        return gateway.listening().port();
    }

    public int adminPort() {
        return gateway.adminListening().port();
    }

    public Snapshot snapshot() {
        return gateway.admission().snapshot();
    }

    /** Waits until {@code count} tasks wait in the ledger. */
    public void awaitWaiting(int count) {
        await("waiting tasks").atMost(10, SECONDS).until(() -> snapshot().queueDepth() == count);
    }

    /** Waits until nothing waits, runs or lies in memory: what must hold after every test. */
    public void awaitIdle() {
        await("nothing waits or runs").atMost(10, SECONDS).untilAsserted(() -> {
            Snapshot snapshot = snapshot();
            assertThat(snapshot.queueDepth()).isZero();
            assertThat(snapshot.scopes()).extracting(ScopeView::active).containsOnly(0L);
            assertThat(gateway.bufferedBytes()).isZero();
        });
    }

    @Override
    public void close() {
        gateway.close();
    }
}
