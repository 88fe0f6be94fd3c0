package dev.sluice.compat;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Eviction;
import dev.sluice.admission.Snapshot;
import dev.sluice.admission.Snapshot.ScopeView;
import dev.sluice.admission.TaskFilter;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.config.ConfigurationFile;
import dev.sluice.gateway.config.ConfigurationSource;
import dev.sluice.gateway.config.Environment;
import dev.sluice.gateway.config.Upstream.Simulated;
import dev.sluice.gateway.config.Verdict;
import dev.sluice.gateway.upstream.SimulatedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * A gateway on free loopback ports. {@code chat} answers fast, {@code hold} never within a test, so that whoever asks
 * for it holds its group's place until it leaves.
 */
final class CompatGateway implements AutoCloseable {
    private static final long ONE = 1_000;

    private final BrokenUpstream broken;
    private final SimulatedServer server;
    private final Gateway gateway;

    private CompatGateway(BrokenUpstream broken, SimulatedServer server, Gateway gateway) {
        this.broken = broken;
        this.server = server;
        this.gateway = gateway;
    }

    static CompatGateway start() throws IOException {
        BrokenUpstream broken = BrokenUpstream.start();
        SimulatedServer server =
                SimulatedServer.start(new Simulated(Duration.ofMillis(5), 2_000, 0.1, 0, 1, 7, OptionalInt.empty()));
        String yaml = """
                listen: 127.0.0.1:0
                admin: {listen: "127.0.0.1:0"}
                database: {mode: memory}
                platforms:
                  - id: fast
                    providers:
                      - {id: fast-1, type: simulated, capacity: 10,
                         simulated: {time-to-first-token: 5ms, tokens-per-second: 2000}}
                  - id: slow
                    providers: [{id: slow-1, type: simulated, capacity: 10, simulated: {time-to-first-token: 1h}}]
                  - id: off
                    providers: [{id: off-1, type: simulated, capacity: 10, enabled: false}]
                  - id: broken
                    providers: [{id: broken-1, base-url: "%s", capacity: 10}]
                  - id: anthropic
                    providers: [{id: anthropic-1, type: anthropic, base-url: "%s", api-key: theirs, capacity: 10}]
                  - id: openai
                    providers: [{id: openai-1, type: openai, base-url: "%s", api-key: theirs, capacity: 10}]
                models:
                  - {id: chat, served-by: [{platform: fast, model: m}]}
                  - {id: heavy, amount: 2, served-by: [{platform: fast, model: m}]}
                  - {id: hold, served-by: [{platform: slow, model: m}]}
                  - {id: switched-off, served-by: [{platform: off, model: m}]}
                  - {id: on-anthropic, served-by: [{platform: anthropic, model: m}]}
                  - {id: on-openai, served-by: [{platform: openai, model: m}]}
                  - {id: broken, served-by: [{platform: broken, model: m}]}
                http: {max-body: 64KiB}
                queueing: {first-byte-grace: 0s}
                groups:
                %s""".formatted(
                        broken.url(),
                        server.baseUrl(),
                        server.baseUrl(),
                        Arrays.stream(Group.values()).map(Group::yaml).collect(Collectors.joining()));
        return switch (ConfigurationFile.parse("compat.yaml", yaml, Environment.of(Map.of()))) {
            case Verdict.Loaded loaded ->
                new CompatGateway(
                        broken, server, Gateway.start(ConfigurationSource.fixed(loaded.configuration()), line -> {}));
            case Verdict.Faulty faulty -> throw new AssertionError("the test's configuration: " + faulty.faults());
        };
    }

    int port() {
        return gateway.listening().port();
    }

    /** Requests that take the group's limit and stand in its queue, in this order, until they are closed. */
    Holders hold(Group group, int running, int waiting) {
        List<Holder> holders = new ArrayList<>();
        for (int i = 1; i <= running + waiting; i++) {
            holders.add(Holder.ask(port(), group.key()));
            long active = Math.min(i, running);
            long behind = i - active;
            await(group, active, behind);
        }
        return new Holders(holders);
    }

    /** Waits until so many requests of the group run and wait. */
    void await(Group group, long active, long waiting) {
        Awaitility.await("of " + group + " " + active + " run and " + waiting + " wait")
                .atMost(10, SECONDS)
                .until(() -> {
                    ScopeView scope = snapshot().scope(group.scope()).orElseThrow();
                    return scope.active() == active * ONE && scope.waiting() == waiting;
                });
    }

    /** Removes all who wait, as an operator does. */
    void evictWaiting() {
        gateway.admission()
                .list(TaskFilter.ALL)
                .forEach(task -> gateway.admission().evict(task.task(), Eviction.OPERATOR));
    }

    /** Waits until nothing waits or runs: what must hold after every test. */
    void awaitIdle() {
        Awaitility.await("nothing waits or runs").atMost(10, SECONDS).untilAsserted(() -> {
            Snapshot snapshot = snapshot();
            assertThat(snapshot.queueDepth()).isZero();
            assertThat(snapshot.scopes()).extracting(ScopeView::active).containsOnly(0L);
        });
    }

    private Snapshot snapshot() {
        return gateway.admission().snapshot();
    }

    /** Ends as on SIGTERM. */
    void drain() {
        gateway.drain();
    }

    @Override
    public void close() {
        gateway.close();
        try (broken) {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
