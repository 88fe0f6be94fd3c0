package dev.sluice.gateway.load;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Totals;
import dev.sluice.gateway.RawClient;
import dev.sluice.gateway.RawClient.Answer;
import dev.sluice.gateway.RunningGateway;
import dev.sluice.gateway.config.ApiKey;
import dev.sluice.gateway.http.Patience;
import dev.sluice.gateway.load.Visit.Tenant;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("A storm of broken upstreams and rude clients among good ones")
final class MisbehaviourTest {
    private static final int VISITS = 360;
    private static final long LAST_START_MILLIS = 16_000;
    /** Longer than the longest wait, the longest silence of an upstream and a slow machine together. */
    private static final long GOOD_SECONDS_MAX = 90;

    private static final Patience PATIENCE = new Patience(
            Duration.ofSeconds(5),
            Duration.ofSeconds(2),
            Duration.ofSeconds(20),
            Duration.ofMillis(500),
            Duration.ofMillis(500));
    private static final List<Tenant> TENANTS = List.of(
            new Tenant("research", RunningGateway.KEY),
            new Tenant("visitors", RunningGateway.OTHER_KEY),
            new Tenant("batch", "sk-test-key-of-the-group-batch-0123456789abc"));
    private static final List<String> MODELS = List.of("alpha", "beta", "gamma");
    private static final Map<String, Integer> LIMITS = Map.of(
            "provider east/e1", 2,
            "provider east/e2", 3,
            "provider west/w1", 1,
            "provider west/w2", 4,
            "model east/alpha-served", 3,
            "model west/beta-served", 4,
            "model east/beta-spilled", 2,
            "group research", 4,
            "group visitors", 3);

    private static RunningGateway gateway(UnrulyUpstream upstream) {
        return RunningGateway.start(
                """
                platforms:
                  - id: east
                    providers:
                      - {id: e1, base-url: "%s", capacity: 2}
                      - {id: e2, base-url: "%s", capacity: 3}
                  - id: west
                    providers:
                      - {id: w1, base-url: "%s", capacity: 1}
                      - {id: w2, base-url: "%s", capacity: 4}
                models:
                  - id: alpha
                    served-by:
                      - {platform: east, model: alpha-served, concurrency: {limit: 3, queue: 10, max-wait: 4s}}
                  - id: beta
                    served-by:
                      - {platform: west, model: beta-served, concurrency: {limit: 4, queue: 6, max-wait: 4s}}
                      - {platform: east, model: beta-spilled, concurrency: {limit: 2, queue: 4, max-wait: 4s}}
                  - id: gamma
                    served-by: [{platform: west, model: gamma-served}]
                groups:
                  - id: research
                    concurrency: {limit: 4, queue: 12, max-wait: 5s}
                    keys: [{name: ci, sha256: "${ENV:KEY_SHA256}"}]
                  - id: visitors
                    concurrency: {limit: 3, queue: 3, max-wait: 3s}
                    keys: [{name: door, sha256: "${ENV:OTHER_KEY_SHA256}"}]
                  - id: batch
                    priority: 200
                    keys: [{name: night, sha256: "%s"}]
                dispatch: {max-queue: 8, queue-timeout: 4s}
                queueing: {first-byte-grace: 500ms}
                http: {idle-timeout: 3s}
                """.formatted(
                                upstream.url("east/e1"),
                                upstream.url("east/e2"),
                                upstream.url("west/w1"),
                                upstream.url("west/w2"),
                                ApiKey.sha256(TENANTS.getLast().key())),
                PATIENCE);
    }

    @Test
    void leaksNothingExceedsNothingAndAnswersEveryGoodClient() throws Exception {
        long seed = new Random().nextLong();
        System.out.println("MisbehaviourTest seed " + seed);
        Random random = new Random(seed);
        List<Visit> visits = Stream.generate(() -> Visit.draw(random, TENANTS, MODELS, LAST_START_MILLIS))
                .limit(VISITS)
                .toList();
        try (UnrulyUpstream upstream = UnrulyUpstream.start(List.of("east/e1", "east/e2", "west/w1", "west/w2"));
                RunningGateway gateway = gateway(upstream)) {
            warmUp(gateway);
            Map<String, Integer> ends = storm(gateway, visits);
            Totals totals = gateway.gateway().admission().totals();
            System.out.println("good clients: " + ends + "\nupstream: " + upstream.count() + "\nledger: " + totals);

            gateway.awaitIdle();
            assertNothingRunsOrWaits(gateway);
            await("the upstream's view")
                    .atMost(10, SECONDS)
                    .until(() -> upstream.count().now() == 0);
            LIMITS.forEach((scope, limit) -> assertThat(upstream.count().max(scope))
                    .as("most at once of %s, seed %s", scope, seed)
                    .isLessThanOrEqualTo(limit));
            assertThat(totals.leasesExpired())
                    .as("leases that nobody gave back")
                    .isZero();
            assertTheStormWasOne(upstream, totals, ends);
            assertEverySlotStillWorks(gateway);
        }
    }

    /** Loads what the storm needs, since a cold machine stalls for longer than an upstream may be silent. */
    private static void warmUp(RunningGateway gateway) {
        for (Conduct conduct : List.of(Conduct.FAIL_500, Conduct.RESET, Conduct.RESET_MIDWAY, Conduct.ANSWER)) {
            await(conduct + " ends as it should").atMost(60, SECONDS).until(() -> {
                Visit visit = calm("gamma", conduct);
                return visit.conduct().mayEnd(new Visitor(gateway.port(), visit, new CountDownLatch(1)).play());
            });
        }
    }

    private static Visit calm(String model, Conduct conduct) {
        return new Visit(TENANTS.getLast(), model, true, conduct, Manners.GOOD, 0, 0, false);
    }

    /** @return how often the good clients' requests ended in which way */
    private static Map<String, Integer> storm(RunningGateway gateway, List<Visit> visits) throws Exception {
        var over = new CountDownLatch(1);
        Map<String, Integer> ends = new TreeMap<>();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> playing = new ArrayList<>();
            for (Visit visit : visits) {
                var visitor = new Visitor(gateway.port(), visit, over);
                playing.add(clients.submit(visitor::play));
            }
            try {
                for (int i = 0; i < visits.size(); i++) {
                    Visit visit = visits.get(i);
                    if (visit.manners() == Manners.GOOD) {
                        String end = playing.get(i).get(GOOD_SECONDS_MAX, SECONDS);
                        assertThat(visit.conduct().mayEnd(end))
                                .as("%s ended with %s", visit, end)
                                .isTrue();
                        ends.merge(end, 1, Integer::sum);
                    }
                }
                // Those that never read are given up without their help.
                await("no slot is held by who does not read")
                        .atMost(30, SECONDS)
                        .until(() -> gateway.snapshot().scopes().stream().allMatch(scope -> scope.active() == 0));
            } finally {
                over.countDown();
            }
            for (Future<String> visit : playing) {
                visit.get(GOOD_SECONDS_MAX, SECONDS);
            }
        }
        return ends;
    }

    private static void assertNothingRunsOrWaits(RunningGateway gateway) throws IOException {
        JsonNode queue = admin(gateway, "/admin/queue");
        assertThat(queue.path("queue_depth").asInt(-1)).isZero();
        assertThat(queue.path("scopes").size()).isGreaterThanOrEqualTo(LIMITS.size());
        for (JsonNode scope : queue.path("scopes")) {
            assertThat(scope.path("active").asInt(-1)).as(scope.toString()).isZero();
            assertThat(scope.path("waiting").asInt(-1)).as(scope.toString()).isZero();
        }
        JsonNode providers = admin(gateway, "/admin/providers").path("providers");
        assertThat(providers.size()).isEqualTo(4);
        for (JsonNode provider : providers) {
            assertThat(provider.path("in_flight").asInt(-1))
                    .as(provider.toString())
                    .isZero();
            assertThat(provider.path("waiting").asInt(-1))
                    .as(provider.toString())
                    .isZero();
        }
        assertThat(admin(gateway, "/admin/admissions").path("admissions").size())
                .isZero();
    }

    private static JsonNode admin(RunningGateway gateway, String path) throws IOException {
        Answer answer = RawClient.exchange(gateway.adminPort(), "GET " + path + " HTTP/1.1\r\nhost: localhost\r\n\r\n");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body());
    }

    /** Otherwise the rest would prove nothing. */
    private static void assertTheStormWasOne(UnrulyUpstream upstream, Totals totals, Map<String, Integer> ends) {
        for (Conduct conduct : Conduct.values()) {
            assertThat(upstream.count().total("conduct " + conduct))
                    .as("requests that met %s", conduct)
                    .isPositive();
        }
        assertThat(LIMITS)
                .as("some limits were reached")
                .anySatisfy((scope, limit) ->
                        assertThat(upstream.count().max(scope)).isEqualTo(limit));
        assertThat(totals.evictedCancelled())
                .as("clients that left while queued")
                .isPositive();
        assertThat(ends.getOrDefault("complete", 0)).isGreaterThan(20);
    }

    private static void assertEverySlotStillWorks(RunningGateway gateway) throws Exception {
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> playing = new ArrayList<>();
            for (String model : List.of("alpha", "alpha", "alpha", "beta", "beta", "beta", "beta")) {
                Visit visit = calm(model, Conduct.ANSWER);
                playing.add(clients.submit(new Visitor(gateway.port(), visit, new CountDownLatch(1))::play));
            }
            for (Future<String> end : playing) {
                assertThat(end.get(GOOD_SECONDS_MAX, SECONDS)).isEqualTo("complete");
            }
        }
        gateway.awaitIdle();
    }
}
