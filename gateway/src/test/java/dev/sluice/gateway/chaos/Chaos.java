package dev.sluice.gateway.chaos;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient;
import dev.sluice.gateway.RunningGateway;
import dev.sluice.gateway.config.ApiKey;
import dev.sluice.postgres.embedded.OpenFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Three gateways in processes of their own share one database and serve clients who never stop, while processes are
 * killed and paused, the database is restarted and its sessions are ended. Then everything must be as if nothing had
 * been.
 */
final class Chaos implements AutoCloseable {
    /** What may be done to them. */
    enum Trouble {
        KILL,
        PAUSE,
        CUT_SESSIONS,
        RESTART_DATABASE,
        CRASH_DATABASE
    }

    private static final Duration LEASE = Duration.ofSeconds(6);
    /** Longer than a lease, shorter than a waiter waits unheard. */
    private static final Duration PAUSE = Duration.ofSeconds(9);

    private static final Duration GONE_AFTER_PAUSE_MAX = Duration.ofSeconds(5);
    private static final Map<String, Integer> LIMITS = Map.of(
            "provider a", 1, "provider b", 6, "provider c", 16, "model one", 1, "model four", 4, "model sixteen", 16);

    private final SplittableRandom random;
    private final Path folder = OpenFolder.create();
    private final HeadCounts counts = new HeadCounts(LIMITS);
    private final CountingUpstream upstream = CountingUpstream.start(counts);
    private final ChaosDatabase database = ChaosDatabase.create();
    private final List<GatewayProcess> gateways = new ArrayList<>();
    private final List<Thread> clients = new ArrayList<>();
    private final List<Client> judges = new ArrayList<>();
    private final Filer filer;
    private final Map<String, AtomicInteger> outcomes = new ConcurrentHashMap<>();
    private final long seed;
    private @Nullable OrderWatch order;
    private volatile boolean loaded = true;

    Chaos(long seed) throws IOException, SQLException {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        for (String name : List.of("g1", "g2", "g3")) {
            Files.writeString(folder.resolve(name + ".yaml"), yaml(name));
            gateways.add(new GatewayProcess(name, folder));
        }
        filer = new Filer(gateways, seed, () -> loaded);
    }

    private String yaml(String gateway) {
        return """
                listen: 127.0.0.1:0
                admin: {listen: "127.0.0.1:0"}
                database: %s
                platforms:
                  - id: small
                    providers: [{id: a, base-url: "%s", capacity: 1}]
                  - id: middle
                    providers: [{id: b, base-url: "%s", capacity: 6}]
                  - id: large
                    providers: [{id: c, base-url: "%s", capacity: 16}]
                models:
                  - id: one
                    served-by: [{platform: small, model: one, concurrency: {queue: 500, max-wait: 60s, lease-ttl: %5$ds}}]
                  - id: four
                    served-by:
                      - {platform: middle, model: four, concurrency: {limit: 4, queue: 500, max-wait: 60s, lease-ttl: %5$ds}}
                  - id: sixteen
                    served-by:
                      - {platform: large, model: sixteen, concurrency: {limit: 16, queue: 500, max-wait: 60s, lease-ttl: %5$ds}}
                groups:
                  - id: research
                    concurrency: {limit: 18, queue: 500, max-wait: 60s}
                    keys: [{name: ci, sha256: "%6$s"}]
                  - {id: night, keys: [{name: ci, sha256: "%7$s"}]}
                """.formatted(
                        database.yaml(),
                        upstream.url(gateway, "a"),
                        upstream.url(gateway, "b"),
                        upstream.url(gateway, "c"),
                        LEASE.toSeconds(),
                        ApiKey.sha256(RunningGateway.KEY),
                        ApiKey.sha256(RunningGateway.OTHER_KEY));
    }

    void start(int clientCount) throws IOException, SQLException {
        for (GatewayProcess gateway : gateways) {
            gateway.start();
        }
        gateways.forEach(GatewayProcess::awaitReady);
        await("the ledger is there").atMost(60, SECONDS).ignoreExceptions().until(() -> database.rows() == 0);
        order = OrderWatch.over(database.database());
        for (int i = 0; i < clientCount; i++) {
            Client client = new Client(gateways, seed + i, () -> loaded, outcomes);
            judges.add(client);
            clients.add(Thread.ofPlatform().daemon().name("client-" + i).start(client));
        }
        clients.add(Thread.ofPlatform().daemon().name("filer").start(filer));
        awaitProgress();
        // Or the limits would not be put to the test.
        for (String model : List.of("model one", "model four", "model sixteen")) {
            await(model + " is full").atMost(90, SECONDS).until(() -> counts.max(model) >= LIMITS.get(model));
        }
    }

    private int served() {
        return outcomes.getOrDefault("200", new AtomicInteger()).get();
    }

    /** They are served again. */
    private void awaitProgress() {
        int before = served();
        await("requests are served").atMost(90, SECONDS).until(() -> served() > before + 10);
    }

    private static void pass(Duration time) {
        long until = System.nanoTime() + time.toNanos();
        await().atMost(time.plusSeconds(60)).until(() -> System.nanoTime() > until);
    }

    /** Makes trouble once, and waits until requests are served again. */
    void make(Trouble trouble) throws Exception {
        GatewayProcess gateway = gateways.get(random.nextInt(gateways.size()));
        System.out.println("chaos: " + trouble + " " + gateway.name + ", served " + served() + ", " + counts);
        switch (trouble) {
            case KILL -> {
                gateway.kill();
                gateway.start();
                gateway.awaitReady();
            }
            case PAUSE -> pause(gateway);
            case CUT_SESSIONS -> {
                for (int i = 0; i < 10; i++) {
                    database.cutSessions();
                    pass(Duration.ofMillis(200));
                }
            }
            case RESTART_DATABASE -> database.restart("INT");
            case CRASH_DATABASE -> database.restart("KILL");
        }
        awaitProgress();
        assertThat(counts.violations())
                .as(() -> "seed %d, after %s, gateways: %s".formatted(seed, trouble, shown()))
                .isEmpty();
        assertThat(watched().violations())
                .as("order, seed %d, after %s", seed, trouble)
                .isEmpty();
    }

    private OrderWatch watched() {
        return Objects.requireNonNull(order, "not started");
    }

    private void pause(GatewayProcess gateway) {
        counts.freeze(gateway.name);
        gateway.pause();
        pass(PAUSE);
        counts.thaw(gateway.name);
        gateway.resume();
        await("what it ran while it was paused has ended")
                .atMost(GONE_AFTER_PAUSE_MAX)
                .until(() -> counts.apart(gateway.name) == 0);
    }

    /** Any trouble, by chance. */
    void makeAny() throws Exception {
        Trouble[] all = Trouble.values();
        make(all[random.nextInt(all.length)]);
    }

    /** Everybody gets the last answer, and then nothing is left. */
    void calm() throws Exception {
        loaded = false;
        for (Thread client : clients) {
            client.join(Duration.ofSeconds(150));
            assertThat(client.isAlive()).as("%s still waits", client.getName()).isFalse();
        }
        System.out.println("chaos: " + new TreeMap<>(outcomes) + ", " + filer.accepted() + " tasks, " + counts);
        assertThat(filer.accepted()).isPositive();
        await("every task that was accepted succeeds")
                .atMost(120, SECONDS)
                .untilAsserted(
                        () -> assertThat(filer.unfinished()).as("seed %d", seed).isEmpty());
        await("no slot leaks").atMost(60, SECONDS).until(() -> database.rows() == 0);
        for (GatewayProcess gateway : gateways) {
            await("its view is empty")
                    .atMost(60, SECONDS)
                    .untilAsserted(() -> assertThat(metrics(gateway))
                            .noneMatch(line -> line.startsWith("sluice_leases_active{") && !line.endsWith(" 0.0"))
                            .contains("sluice_ledger_drift 0.0", "sluice_ledger_drift_found_total 0.0"));
        }
        assertThat(counts.violations()).as("seed %d", seed).isEmpty();
        assertThat(judges)
                .as("seed %d", seed)
                .allSatisfy(client -> assertThat(client.faults()).isEmpty());
        assertThat(database.deadlocks()).as("seed %d", seed).isEmpty();
        for (GatewayProcess gateway : gateways) {
            assertThat(gateway.said()).as(gateway.name).doesNotContain("drifted", "ERROR", "Exception in thread");
        }
        assertThat(watched().violations()).as("order, seed %d", seed).isEmpty();
        assertThat(watched().admitted()).isPositive();
    }

    /** What tells a fault of ours from a machine that stood still: leases that ended, and what the gateways said. */
    private String shown() {
        StringBuilder shown = new StringBuilder();
        for (GatewayProcess gateway : gateways) {
            try {
                metrics(gateway).stream()
                        .filter(line -> line.startsWith("sluice_leases_expired_total"))
                        .forEach(line -> shown.append('\n')
                                .append(gateway.name)
                                .append(' ')
                                .append(line));
                shown.append('\n').append(gateway.said());
            } catch (IOException e) {
                shown.append('\n').append(gateway.name).append(' ').append(e);
            }
        }
        return shown.toString();
    }

    private static List<String> metrics(GatewayProcess gateway) throws IOException {
        return RawClient.exchange(
                        gateway.adminPort(),
                        "GET /metrics HTTP/1.1\r\nhost: localhost:" + gateway.adminPort() + "\r\n\r\n")
                .body()
                .lines()
                .toList();
    }

    @Override
    public void close() throws Exception {
        loaded = false;
        for (GatewayProcess gateway : gateways) {
            gateway.close();
        }
        if (order != null) {
            order.close();
        }
        upstream.close();
        database.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
