package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static dev.sluice.gateway.RawClient.exchange;
import static dev.sluice.gateway.RunningGateway.KEY;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class WaitingTest {
    private static final String PLAIN = "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    private static final String STREAM = PLAIN.replace("}]}", "}],\"stream\":true}");

    private final Semaphore go = new Semaphore(0);
    private RawUpstream upstream;

    @BeforeEach
    void start() throws IOException {
        upstream = RawUpstream.start(call -> {
            go.acquire();
            if (call.body().contains("\"stream\":true")) {
                call.streamHead();
                call.chunk("data: [DONE]\n\n");
                call.lastChunk();
            } else {
                call.json(200, call.body());
            }
        });
    }

    @AfterEach
    void stop() throws IOException {
        go.release(1_000);
        upstream.close();
    }

    private RunningGateway gateway(String concurrency, String grace) {
        return RunningGateway.start(RunningGateway.oneProvider(upstream.url(), 10, concurrency)
                + "queueing: {first-byte-grace: " + grace + "}\n");
    }

    private RawClient running(RunningGateway gateway) throws IOException {
        int before = upstream.running();
        RawClient client = RawClient.connect(gateway.port()).send(chat(PLAIN));
        await().atMost(10, SECONDS).until(() -> upstream.running() == before + 1);
        return client;
    }

    @Test
    void aStreamSeesItsPositionAndThenItsAnswer() throws IOException {
        try (RunningGateway gateway = gateway("{limit: 1, queue: 5}", "0s");
                RawClient holder = running(gateway);
                RawClient waiting = RawClient.connect(gateway.port()).send(chat(STREAM))) {
            Answer head = waiting.head();
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("content-type")).startsWith("text/event-stream");
            assertThat(waiting.chunk()).matches(": queued position=1( eta=\\d+s)?\n\n");

            go.release(2);

            assertThat(waiting.chunk()).isEqualTo("data: [DONE]\n\n");
            assertThat(waiting.chunk()).isEmpty();
            assertThat(holder.answer().status()).isEqualTo(200);
            gateway.awaitIdle();
        }
    }

    @Test
    void whoeverAskedForJsonWaitsSilently() throws IOException {
        try (RunningGateway gateway = gateway("{limit: 1, queue: 5}", "0s");
                RawClient holder = running(gateway);
                RawClient streaming = RawClient.connect(gateway.port()).send(chat(STREAM));
                RawClient waiting = RawClient.connect(gateway.port()).send(chat(PLAIN))) {
            gateway.awaitWaiting(2);
            assertThat(streaming.head().status())
                    .as("a tick of comments has passed")
                    .isEqualTo(200);

            go.release(3);

            Answer answer = waiting.answer();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(Long.parseLong(answer.header("x-sluice-queue-ms"))).isPositive();
            assertThat(holder.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void withinTheGraceTheStatusLineIsHeldBack() throws IOException {
        try (RunningGateway gateway = gateway("{limit: 1, queue: 5}", "60s");
                RawClient holder = running(gateway);
                RawClient waiting = RawClient.connect(gateway.port()).send(chat(STREAM))) {
            gateway.awaitWaiting(1);
            go.release(2);

            Answer answer = waiting.answer();
            assertThat(answer.body()).isEqualTo("data: [DONE]\n\n");
            assertThat(answer.header("x-sluice-provider")).isEqualTo("up-1");
            assertThat(holder.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void aFullQueueIsRefusedWithItsNumbers() throws IOException {
        try (RunningGateway gateway = gateway("{limit: 1, queue: 1}", "10s");
                RawClient holder = running(gateway);
                RawClient waiting = RawClient.connect(gateway.port()).send(chat(PLAIN))) {
            gateway.awaitWaiting(1);

            Answer refused = exchange(gateway.port(), chat(PLAIN));

            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.body())
                    .contains(
                            "\"code\":\"queue_full\"",
                            "\"type\":\"rate_limit_error\"",
                            "platform model 'here/served/name'",
                            "active 1",
                            "waiting 1");
            assertThat(Integer.parseInt(refused.header("retry-after"))).isBetween(1, 60);
            go.release(2);
            assertThat(holder.answer().status()).isEqualTo(200);
            assertThat(waiting.answer().status()).isEqualTo(200);
            gateway.awaitIdle();
        }
    }

    @Test
    void withoutAQueueSaturationIsRefusedAtOnce() throws IOException {
        try (RunningGateway gateway = gateway("{limit: 1}", "10s");
                RawClient holder = running(gateway)) {
            Answer refused = exchange(gateway.port(), chat(PLAIN));

            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.body()).contains("\"code\":\"concurrency_limit_exceeded\"", "limit 1", "active 1");
            assertThat(Integer.parseInt(refused.header("retry-after"))).isBetween(1, 60);
            go.release();
            assertThat(holder.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void whatIsNoInferenceNeverWaits() throws IOException {
        try (RunningGateway gateway = gateway("{limit: 1, queue: 1}", "10s");
                RawClient holder = running(gateway);
                RawClient waiting = RawClient.connect(gateway.port()).send(chat(PLAIN))) {
            gateway.awaitWaiting(1);

            for (String path : new String[] {"/v1/models", "/v1/models/chat", "/livez", "/readyz"}) {
                assertThat(exchange(
                                        gateway.port(),
                                        "GET " + path + " HTTP/1.1\r\nhost: g\r\nx-api-key: " + KEY + "\r\n\r\n")
                                .status())
                        .as(path)
                        .isEqualTo(200);
            }
            go.release(2);
            assertThat(holder.answer().status()).isEqualTo(200);
            assertThat(waiting.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void aRequestLargerThanALimitIsRefusedForGood() throws IOException {
        String yaml = RunningGateway.oneProvider(upstream.url(), 10, "{limit: 2, queue: 5}")
                .replace("- id: chat\n", "- id: chat\n    amount: 1.5\n")
                .replace("- id: research\n", "- id: research\n    concurrency: {limit: 1, queue: 5}\n");
        try (RunningGateway gateway = RunningGateway.start(yaml)) {
            Answer refused = exchange(gateway.port(), chat(PLAIN));

            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.body())
                    .contains("\"code\":\"amount_unsatisfiable\"", "takes 1.5 of group 'research', whose limit is 1");
            assertThat(refused.header("x-should-retry")).isEqualTo("false");
            gateway.awaitIdle();
        }
    }

    @Test
    void theRequestMayShortenItsWait() throws IOException {
        try (RunningGateway gateway = gateway("{limit: 1, queue: 5, max-wait: 60s}", "10s");
                RawClient holder = running(gateway)) {
            Answer late = exchange(gateway.port(), chat(KEY, PLAIN, "x-sluice-max-wait: 0.3\r\n"));
            assertThat(late.status()).isEqualTo(503);
            assertThat(late.body()).contains("\"code\":\"queue_timeout\"", "platform model 'here/served/name'");
            assertThat(Integer.parseInt(late.header("retry-after"))).isBetween(1, 60);

            Answer never = exchange(gateway.port(), chat(KEY, PLAIN, "x-sluice-max-wait: 0\r\n"));
            assertThat(never.status()).isEqualTo(429);
            go.release();
            assertThat(holder.answer().status()).isEqualTo(200);
            gateway.awaitIdle();
        }
    }

    @Test
    void aTimeoutAfterTheHeadIsOneEventAndNoEnd() throws IOException {
        try (RunningGateway gateway = gateway("{limit: 1, queue: 5, max-wait: 1s}", "0s");
                RawClient holder = running(gateway);
                RawClient waiting = RawClient.connect(gateway.port()).send(chat(STREAM))) {
            assertThat(waiting.head().status()).isEqualTo(200);

            assertThat(waiting.rest())
                    .contains(": queued position=1", "data: {\"error\":{", "\"code\":\"queue_timeout\"")
                    .doesNotContain("[DONE]", "\r\n0\r\n\r\n");
            go.release();
            assertThat(holder.answer().status()).isEqualTo(200);
            gateway.awaitIdle();
        }
    }

    @Test
    void anUpstreamsRefusalAfterTheHeadIsOneEvent() throws IOException {
        try (RawUpstream refusing = RawUpstream.start(call -> {
                    go.acquire();
                    call.json(400, "{\n \"error\": {\"message\": \"theirs\"}\n}");
                });
                RunningGateway gateway =
                        RunningGateway.start(RunningGateway.oneProvider(refusing.url(), 1, "{limit: 1, queue: 5}")
                                + "queueing: {first-byte-grace: 0s}\n");
                RawClient holder = RawClient.connect(gateway.port()).send(chat(PLAIN));
                RawClient waiting = RawClient.connect(gateway.port())) {
            await().atMost(10, SECONDS).until(() -> refusing.running() == 1);
            waiting.send(chat(STREAM));
            assertThat(waiting.head().status()).isEqualTo(200);
            go.release(2);

            assertThat(waiting.rest())
                    .contains("data: {\"error\":{\"message\":\"theirs\"}}\n\n")
                    .doesNotContain("[DONE]", "\r\n0\r\n\r\n");
            assertThat(holder.answer().status()).isEqualTo(400);
            gateway.awaitIdle();
        }
    }

    @Test
    void aBetterPriorityRunsSoonerAndIsClampedToTheGroupsBest() throws IOException {
        try (RunningGateway gateway = gateway("{limit: 1, queue: 5}", "10s");
                RawClient holder = running(gateway);
                RawClient normal = RawClient.connect(gateway.port()).send(chat(PLAIN.replace("hi", "normal")))) {
            gateway.awaitWaiting(1);
            try (RawClient urgent = RawClient.connect(gateway.port())
                    .send(chat(KEY, PLAIN.replace("hi", "urgent"), "x-sluice-priority: 1\r\n"))) {
                gateway.awaitWaiting(2);
                go.release(2);

                assertThat(holder.answer().status()).isEqualTo(200);
                Answer first = urgent.answer();
                assertThat(first.header("x-sluice-priority")).isEqualTo("10");
                go.release();
                assertThat(normal.answer().header("x-sluice-priority")).isEqualTo("100");
                assertThat(upstream.calls())
                        .extracting(call -> call.body().contains("urgent"))
                        .containsExactly(false, true, false);
            }
        }
    }

    @Test
    void aStreamIsToldAgainWhenItsPlaceHasMovedOn() throws IOException {
        try (RunningGateway gateway = gateway("{limit: 1, queue: 5}", "0s");
                RawClient holder = running(gateway);
                RawClient before = RawClient.connect(gateway.port()).send(chat(STREAM))) {
            gateway.awaitWaiting(1);
            try (RawClient waiting = RawClient.connect(gateway.port()).send(chat(STREAM))) {
                assertThat(waiting.head().status()).isEqualTo(200);
                assertThat(waiting.chunk()).startsWith(": queued position=2");
                before.close();
                gateway.awaitWaiting(1);

                // Five seconds later.
                assertThat(waiting.chunk()).startsWith(": queued position=1");

                go.release(2);
                assertThat(waiting.chunk()).isEqualTo("data: [DONE]\n\n");
                assertThat(holder.answer().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void asManyRunAndWaitAsWasSaidAndNobodyWaitsAnywhereElse() throws Exception {
        int limit = 40;
        int queue = 20;
        int refused = 40;
        try (RunningGateway gateway = RunningGateway.start(RunningGateway.oneProvider(
                        upstream.url(), limit, "{limit: %d, queue: %d}".formatted(limit, queue)));
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < limit + queue + refused; i++) {
                answers.add(clients.submit(
                        () -> exchange(gateway.port(), chat(PLAIN)).status()));
            }

            await().atMost(10, SECONDS)
                    .until(() -> answers.stream().filter(Future::isDone).count() == refused);
            await("all that may run are at work").atMost(10, SECONDS).until(() -> upstream.running() == limit);
            assertThat(gateway.snapshot().queueDepth()).isEqualTo(queue);
            go.release(limit + queue);

            Map<Integer, Integer> counted = new TreeMap<>();
            for (Future<Integer> answer : answers) {
                counted.merge(answer.get(), 1, Integer::sum);
            }
            assertThat(counted).isEqualTo(Map.of(200, limit + queue, 429, refused));
            gateway.awaitIdle();
        }
    }
}
