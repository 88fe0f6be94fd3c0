package dev.sluice.gateway;

import static dev.sluice.gateway.TaskClient.awaitNothingHeld;
import static dev.sluice.gateway.TaskClient.awaitStatus;
import static dev.sluice.gateway.TaskClient.call;
import static dev.sluice.gateway.TaskClient.count;
import static dev.sluice.gateway.TaskClient.filed;
import static dev.sluice.gateway.TaskClient.status;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawUpstream.Script;
import dev.sluice.gateway.tasks.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@DisplayName("A task")
final class TaskExecutionTest extends OnDatabase {
    @Test
    void thatRunsIsClosedAtItsUpstreamWhenItIsCancelledAtAnyGateway() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 5}", "");
                RunningGateway other = gateway(upstream, "{limit: 1, queue: 5}", "")) {
            String task = filed(gateway);
            awaitStatus(other, task, "running");
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);

            // One of the two does not execute it.
            assertThat(call(other, "DELETE", task, RunningGateway.KEY).status()).isEqualTo(200);

            await("the upstream is closed").atMost(10, SECONDS).until(() -> upstream.running() == 0);
            assertThat(status(gateway, task)).isEqualTo("cancelled");
            awaitNothingHeld(gateway, database);
            awaitNothingHeld(other, database);
            assertThat(upstream.calls()).hasSize(1);
        }
    }

    @Test
    void failsWithTheUpstreamsOwnRefusal() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(400, "{\"error\":{\"message\":\"too hot\"}}"));
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 5}", "")) {
            JsonNode failed = awaitStatus(gateway, filed(gateway), "failed");

            assertThat(failed.path("error").path("code").asString()).isEqualTo("upstream_error");
            assertThat(failed.path("error").path("upstream_status").asInt()).isEqualTo(400);
            assertThat(failed.path("response").path("error").path("message").asString())
                    .isEqualTo("too hot");
            assertThat(failed.path("attempts").asInt()).isEqualTo(1);
            awaitNothingHeld(gateway, database);
        }
    }

    @Test
    void isTriedAgainBehindWhatCameMeanwhileWhenTheUpstreamFailsForNow() throws Exception {
        AtomicInteger turn = new AtomicInteger();
        Script script = call -> {
            switch (turn.getAndIncrement()) {
                case 0 -> call.json(503, "{\"error\":{}}");
                case 1 -> call.json(502, "{}");
                default -> call.json(200, "{}");
            }
        };
        try (RawUpstream upstream = RawUpstream.start(script);
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 5}", "")) {
            String task = filed(gateway);
            await().atMost(10, SECONDS).until(() -> turn.get() >= 1);

            JsonNode ended = awaitStatus(gateway, task, "succeeded");

            assertThat(ended.path("attempts").asInt()).isEqualTo(3);
            assertThat(ended.path("error").isNull()).isTrue();
            awaitNothingHeld(gateway, database);
        }
    }

    @Test
    void failsAfterItsLastAttemptWithWhatTheUpstreamSaidLast() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(503, "{\"error\":{\"message\":\"busy\"}}"));
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 5}", "workers: {attempts: 2}\n")) {
            JsonNode failed = awaitStatus(gateway, filed(gateway), "failed");

            assertThat(failed.path("attempts").asInt()).isEqualTo(2);
            assertThat(failed.path("error").path("upstream_status").asInt()).isEqualTo(503);
            assertThat(upstream.calls()).hasSize(2);
            awaitNothingHeld(gateway, database);
        }
    }

    @Test
    void goesToAnotherProviderAfterOneFailed() throws Exception {
        try (RawUpstream bad = RawUpstream.start(call -> call.json(503, "{}"));
                RawUpstream good = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway = RunningGateway.startOn(
                        database, """
                        platforms:
                          - id: here
                            providers:
                              - {id: bad, base-url: "%s", capacity: 1, priority: 0}
                              - {id: good, base-url: "%s", capacity: 1, priority: 9}
                        models:
                          - {id: chat, served-by: [{platform: here, model: m}]}
                          - {id: other, served-by: [{platform: here, model: o}]}
                        %s""".formatted(bad.url(), good.url(), RunningGateway.groups()))) {
            JsonNode ended = awaitStatus(gateway, filed(gateway), "succeeded");

            assertThat(ended.path("attempts").asInt()).isEqualTo(2);
            assertThat(bad.calls()).hasSize(1);
            assertThat(good.calls()).hasSize(1);
        }
    }

    @Test
    void failsWithQueueTimeoutWhenItWaitedTooLong() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway =
                        gateway(upstream, "{limit: 1, queue: 5}", "queueing: {async-max-wait: 700ms}\n")) {
            String runs = filed(gateway);
            awaitStatus(gateway, runs, "running");

            JsonNode late = awaitStatus(gateway, filed(gateway), "failed");

            assertThat(late.path("error").path("code").asString()).isEqualTo("queue_timeout");
            assertThat(late.path("attempts").asInt()).isZero();
            assertThat(status(gateway, runs)).isEqualTo("running");
        }
    }

    @Test
    void thatRunsIsHandedBackWhenItsGatewayStopsAndAnotherOneExecutesIt() throws Exception {
        AtomicInteger turn = new AtomicInteger();
        Script script = call -> {
            if (turn.getAndIncrement() == 0) {
                call.awaitClose();
            } else {
                call.json(200, "{}");
            }
        };
        try (RawUpstream upstream = RawUpstream.start(script)) {
            String running;
            String queued;
            try (RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 5}", "http: {drain: 300ms}\n")) {
                running = filed(gateway);
                awaitStatus(gateway, running, "running");
                queued = filed(gateway);
                gateway.gateway().drain();
                await("the tables follow the journal").until(() -> count(database, "waiting") == 1);
                assertThat(count(database, "job where picked is null")).isEqualTo(1);
            }
            try (RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 5}", "")) {
                assertThat(awaitStatus(gateway, running, "succeeded")
                                .path("attempts")
                                .asInt())
                        .isEqualTo(1);
                awaitStatus(gateway, queued, "succeeded");
                awaitNothingHeld(gateway, database);
            }
        }
    }

    @Test
    void whoseAnswerIsTooLargeToBeKeptFails() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, '"' + "x".repeat(200_000) + '"'));
                RunningGateway gateway =
                        gateway(upstream, "{limit: 1, queue: 5}", "workers: {max-response: 100KiB}\n")) {
            JsonNode failed = awaitStatus(gateway, filed(gateway), "failed");

            assertThat(failed.path("error").path("message").asString()).contains("102400 bytes");
            assertThat(failed.path("attempts").asInt()).isEqualTo(1);
            awaitNothingHeld(gateway, database);
        }
    }

    @Test
    void whoseAnswerIsLargeKeepsAllOfIt() throws Exception {
        String large = '"' + "x".repeat(1_000_000) + '"';
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, large));
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 5}", "")) {
            assertThat(awaitStatus(gateway, filed(gateway), "succeeded")
                            .path("response")
                            .asString())
                    .hasSize(1_000_000);
        }
    }

    @Test
    void keepsItsLeaseLongerThanItsTtlWhileTheUpstreamWorks() throws Exception {
        Script slow = call -> {
            call.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 12\r\n\r\n");
            for (int i = 0; i < 12; i++) {
                java.util.concurrent.locks.LockSupport.parkNanos(SECONDS.toNanos(1) / 2);
                call.write("1");
            }
        };
        try (RawUpstream upstream = RawUpstream.start(slow);
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 5, lease-ttl: 3s}", "")) {
            JsonNode ended = awaitStatus(gateway, filed(gateway), "succeeded");

            assertThat(ended.path("attempts").asInt()).isEqualTo(1);
            assertThat(upstream.calls()).hasSize(1);
        }
    }

    @Test
    void thatWasHeldUpUntilItsLeaseWasGivenOnIsNotSentToItsUpstreamASecondTime() throws Exception {
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        String yaml = "{limit: 1, queue: 5, lease-ttl: 3s}";
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway heldUp = RunningGateway.startOn(
                        database, RunningGateway.oneProvider(upstream.url(), 4, yaml), (step, task) -> {
                            if (step == Step.TAKEN) {
                                taken.countDown();
                                hold(goesOn);
                            }
                        })) {
            String task = filed(heldUp);
            assertThat(taken.await(10, SECONDS)).isTrue();
            try (RunningGateway other = gateway(upstream, yaml, "")) {
                assertThat(awaitStatus(other, task, "succeeded")
                                .path("attempts")
                                .asInt())
                        .isEqualTo(2);

                goesOn.countDown();

                await("it is not sent again")
                        .during(1, SECONDS)
                        .atMost(10, SECONDS)
                        .until(() -> upstream.calls().size() == 1);
                awaitNothingHeld(heldUp, database);
            }
        }
    }

    private static void hold(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void startsAsSoonAsTheOneBeforeItHasEnded() throws Exception {
        int tasks = 12;
        Semaphore go = new Semaphore(0);
        List<Long> starts = Collections.synchronizedList(new ArrayList<>());
        Script script = call -> {
            starts.add(System.nanoTime());
            go.acquire();
            call.json(200, "{}");
        };
        try (RawUpstream upstream = RawUpstream.start(script);
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 20}", "")) {
            for (int i = 0; i < tasks; i++) {
                filed(gateway);
            }
            go.release(tasks);

            await().atMost(20, SECONDS).until(() -> starts.size() == tasks);
            awaitNothingHeld(gateway, database);
            long[] gaps = IntStream.range(2, tasks)
                    .mapToLong(i -> starts.get(i) - starts.get(i - 1))
                    .sorted()
                    .toArray();
            // The look without a hint comes every 0.4 s.
            assertThat(Duration.ofNanos(gaps[gaps.length / 2])).isLessThan(Duration.ofMillis(300));
        }
    }
}
