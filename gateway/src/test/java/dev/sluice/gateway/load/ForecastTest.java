package dev.sluice.gateway.load;

import static dev.sluice.gateway.RawClient.chat;
import static dev.sluice.gateway.RawClient.exchange;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient;
import dev.sluice.gateway.RawClient.Answer;
import dev.sluice.gateway.RawUpstream;
import dev.sluice.gateway.RunningGateway;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("What a client is told about its wait follows from what was observed")
final class ForecastTest {
    private static final long FAST_MILLIS = 200;
    private static final long SLOW_MILLIS = 3_000;
    private static final Pattern COMMENT = Pattern.compile(": queued position=(\\d+) eta=(\\d+)s\n\n");

    private final CountDownLatch never = new CountDownLatch(1);
    private final AtomicBoolean observing = new AtomicBoolean(true);
    private RawUpstream upstream;
    private RunningGateway gateway;

    @BeforeEach
    void start() throws IOException {
        upstream = RawUpstream.start(call -> {
            if (observing.get()) {
                never.await(call.body().contains("\"slow-served\"") ? SLOW_MILLIS : FAST_MILLIS, MILLISECONDS);
                call.json(200, "{}");
            } else {
                call.awaitClose();
            }
        });
        gateway = RunningGateway.start("""
                platforms:
                  - id: here
                    providers:
                      - {id: wide, base-url: "%1$s", capacity: 8}
                  - id: there
                    providers:
                      - {id: narrow, base-url: "%1$s", capacity: 1}
                models:
                  - id: fast
                    served-by: [{platform: here, model: fast-served, concurrency: {limit: 1, queue: 3}}]
                  - id: slow
                    served-by: [{platform: here, model: slow-served, concurrency: {limit: 1, queue: 3}}]
                  - id: lone
                    served-by: [{platform: there, model: lone-served}]
                groups:
                  - id: research
                    keys: [{name: ci, sha256: "${ENV:KEY_SHA256}"}]
                  - id: visitors
                    concurrency: {limit: 2, queue: 1}
                    keys: [{name: door, sha256: "${ENV:OTHER_KEY_SHA256}"}]
                queueing: {first-byte-grace: 0s}
                """.formatted(upstream.url()));
    }

    @AfterEach
    void stop() throws IOException {
        never.countDown();
        gateway.close();
        upstream.close();
    }

    private static String body(String model, boolean stream) {
        return "{\"model\":\"" + model + "\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"stream\":" + stream
                + "}";
    }

    /** One that holds the model's only slot, two that wait, and the third with what it is told. */
    private final class Line implements AutoCloseable {
        final RawClient holder;
        final RawClient second;
        final RawClient third;
        final RawClient fourth;

        Line(String model) throws IOException {
            int before = upstream.running();
            int waiting = gateway.snapshot().queueDepth();
            holder = RawClient.connect(gateway.port()).send(chat(body(model, false)));
            await().atMost(10, SECONDS).until(() -> upstream.running() == before + 1);
            second = join(model, waiting + 1);
            third = join(model, waiting + 2);
            fourth = join(model, waiting + 3);
        }

        private RawClient join(String model, int waiting) throws IOException {
            RawClient client = RawClient.connect(gateway.port()).send(chat(body(model, true)));
            gateway.awaitWaiting(waiting);
            return client;
        }

        @Override
        public void close() throws IOException {
            fourth.close();
            third.close();
            second.close();
            holder.close();
        }
    }

    private record Told(int position, int etaSeconds) {}

    private static Told comment(RawClient waiting) throws IOException {
        assertThat(waiting.head().status()).isEqualTo(200);
        String comment = waiting.chunk();
        Matcher told = COMMENT.matcher(comment);
        assertThat(told.matches()).as(comment).isTrue();
        return new Told(Integer.parseInt(told.group(1)), Integer.parseInt(told.group(2)));
    }

    private JsonNode admin(String path) throws IOException {
        Answer answer = exchange(gateway.adminPort(), "GET " + path + " HTTP/1.1\r\nhost: localhost\r\n\r\n");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body());
    }

    private JsonNode last(String model, String status) throws IOException {
        JsonNode tasks = admin("/admin/admissions?limit=100&status=" + status + "&model=" + model)
                .path("admissions");
        assertThat(tasks.size()).isPositive();
        return tasks.get(tasks.size() - 1);
    }

    private JsonNode explain(String task) throws IOException {
        return admin("/admin/admissions/" + task);
    }

    private void observe() throws IOException {
        try (RawClient slow = RawClient.connect(gateway.port()).send(chat(body("slow", false)))) {
            for (int i = 0; i < 3; i++) {
                assertThat(exchange(gateway.port(), chat(body("fast", false))).status())
                        .isEqualTo(200);
            }
            assertThat(slow.answer().status()).isEqualTo(200);
        }
        gateway.awaitIdle();
        observing.set(false);
    }

    @Test
    void retryAfterAndEtaDifferAsTheModelsServiceTimesDo() throws IOException {
        observe();
        try (Line fast = new Line("fast");
                Line slow = new Line("slow")) {
            int fastRetry = refused("fast");
            int slowRetry = refused("slow");
            // One lease of 3 s or a little more, plus up to 20 % jitter, rounded up; 1 s is the least.
            assertThat(slowRetry).isBetween(3, 12);
            assertThat(fastRetry).isLessThanOrEqualTo(slowRetry / 2);

            JsonNode fastWait = explain(last("fast", "waiting").path("task").asString());
            JsonNode slowWait = explain(last("slow", "waiting").path("task").asString());
            assertThat(fastWait.path("ahead").asInt()).isEqualTo(2);
            assertThat(slowWait.path("ahead").asInt()).isEqualTo(2);
            double fastEta = fastWait.path("eta_seconds").asDouble();
            double slowEta = slowWait.path("eta_seconds").asDouble();
            // Three leases each: 0.6 s and 9 s.
            assertThat(slowEta).isBetween(9.0, 36.0);
            assertThat(fastEta).isBetween(0.6, slowEta / 3);

            Told fastTold = comment(fast.fourth);
            Told slowTold = comment(slow.fourth);
            assertThat(fastTold.position()).isEqualTo(3);
            assertThat(slowTold.position()).isEqualTo(3);
            assertThat(slowTold.etaSeconds()).isBetween(9, 36);
            assertThat(fastTold.etaSeconds()).isLessThanOrEqualTo(slowTold.etaSeconds() / 2);

            Told first = comment(slow.second);
            assertThat(first.position()).isEqualTo(1);
            assertThat(first.etaSeconds()).isBetween(3, slowTold.etaSeconds() / 2);
        }
        gateway.awaitIdle();
    }

    private int refused(String model) throws IOException {
        Answer refused = exchange(gateway.port(), chat(body(model, false)));
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.body()).contains("\"code\":\"queue_full\"", "'here/" + model + "-served'");
        return Integer.parseInt(refused.header("retry-after"));
    }

    @Test
    void beforeAnythingWasObservedNoEtaIsInvented() throws IOException {
        observing.set(false);
        try (Line line = new Line("slow")) {
            JsonNode wait = explain(last("slow", "waiting").path("task").asString());

            assertThat(wait.path("ahead").asInt()).isEqualTo(2);
            assertThat(wait.path("eta_seconds").isNull()).isTrue();
            assertThat(refused("slow")).isEqualTo(1);
            assertThat(line.third.head().status()).isEqualTo(200);
            assertThat(line.third.chunk()).isEqualTo(": queued position=2\n\n");
        }
        gateway.awaitIdle();
    }

    @Test
    void explainNamesTheModelThatBlocksItsLimitAndWhoHoldsIt() throws IOException {
        observing.set(false);
        try (Line line = new Line("fast")) {
            assertBlocked("fast", "platform_model", "here/fast-served", 1, 1);
            assertThat(line.second.head().status()).isEqualTo(200);
        }
        gateway.awaitIdle();
    }

    @Test
    void explainNamesTheGroupThatBlocksItsLimitAndWhoHoldsIt() throws IOException {
        observing.set(false);
        String key = RunningGateway.OTHER_KEY;
        try (RawClient fast = RawClient.connect(gateway.port()).send(chat(key, body("fast", false), ""));
                RawClient slow = RawClient.connect(gateway.port()).send(chat(key, body("slow", false), ""));
                RawClient lone = RawClient.connect(gateway.port())) {
            await().atMost(10, SECONDS).until(() -> upstream.running() == 2);
            lone.send(chat(key, body("lone", true), ""));
            gateway.awaitWaiting(1);

            JsonNode blocker = assertBlocked("lone", "user_group", "visitors", 2, 2);
            assertThat(blocker.path("holders").toString())
                    .contains(
                            last("fast", "admitted").path("task").asString(),
                            last("slow", "admitted").path("task").asString());
            fast.close();
            slow.close();
        }
        gateway.awaitIdle();
    }

    @Test
    void explainNamesTheProviderThatIsFullAndWhoHoldsIt() throws IOException {
        observing.set(false);
        try (RawClient holder = RawClient.connect(gateway.port()).send(chat(body("lone", false)));
                RawClient waiting = RawClient.connect(gateway.port())) {
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);
            waiting.send(chat(body("lone", true)));
            gateway.awaitWaiting(1);

            JsonNode blocker = assertBlocked("lone", "provider", "narrow", 1, 1);
            assertThat(blocker.path("holders").get(0).asString())
                    .isEqualTo(last("lone", "admitted").path("task").asString());
            assertThat(last("lone", "waiting").path("reason").asString()).isEqualTo("capacity_full");
            holder.close();
        }
        gateway.awaitIdle();
    }

    private JsonNode assertBlocked(String model, String type, String key, int limit, int holders) throws IOException {
        JsonNode wait = explain(last(model, "waiting").path("task").asString());
        assertThat(wait.path("blocked_by").size()).as(wait.toString()).isEqualTo(1);
        JsonNode blocker = wait.path("blocked_by").get(0);
        assertThat(blocker.path("type").asString()).isEqualTo(type);
        assertThat(blocker.path("key").asString()).isEqualTo(key);
        assertThat(blocker.path("limit").asInt()).isEqualTo(limit);
        assertThat(blocker.path("active").asInt()).isEqualTo(limit);
        assertThat(blocker.path("holders").size()).isEqualTo(holders);
        return blocker;
    }
}
