package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static dev.sluice.gateway.RawClient.exchange;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import dev.sluice.gateway.http.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

final class DrainTest {
    private static final String PLAIN = "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    private static final String STREAM = PLAIN.replace("}]}", "}],\"stream\":true}");
    private static final String READYZ = "GET /readyz HTTP/1.1\r\nhost: g\r\n\r\n";

    @Test
    void waitingRequestsAreRefusedRunningOnesEnd() throws Exception {
        Semaphore go = new Semaphore(0);
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    go.acquire();
                    call.json(200, "{}");
                });
                RunningGateway gateway =
                        RunningGateway.start(RunningGateway.oneProvider(upstream.url(), 1, "{limit: 1, queue: 5}"));
                RawClient running = RawClient.connect(gateway.port()).send(chat(PLAIN));
                RawClient waiting = RawClient.connect(gateway.port())) {
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);
            waiting.send(chat(STREAM));
            gateway.awaitWaiting(1);
            assertThat(exchange(gateway.port(), READYZ).status()).isEqualTo(200);

            Thread draining = Thread.ofVirtual().start(gateway.gateway()::drain);
            Answer refused = waiting.answer();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("\"code\":\"shutting_down\"");
            assertThat(refused.header("retry-after")).isEqualTo("1");
            assertThat(exchange(gateway.port(), READYZ).status()).isEqualTo(503);
            Answer late = exchange(gateway.port(), chat(PLAIN));
            assertThat(late.status()).isEqualTo(503);
            assertThat(late.header("connection")).isEqualTo("close");

            go.release();
            assertThat(running.answer().status()).isEqualTo(200);
            draining.join();
        }
    }

    @RepeatedTest(20)
    void aSlotGrantedJustThenIsNotUsedAfterItWasGivenBack() throws Exception {
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        try (RawUpstream upstream = RawUpstream.start(call -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            call.body().chars().forEach(c -> Thread.onSpinWait());
            running.decrementAndGet();
            call.json(200, "{}");
        })) {
            String yaml = RunningGateway.oneProvider(upstream.url(), 1, "{limit: 1, queue: 100}");
            try (RunningGateway gateway = RunningGateway.start(yaml, Patience.DEFAULT, 4)) {
                List<RawClient> clients = new ArrayList<>();
                for (int i = 0; i < 60; i++) {
                    clients.add(RawClient.connect(gateway.port()));
                }
                for (RawClient client : clients) {
                    client.send(chat(PLAIN));
                }
                await().atMost(10, SECONDS).until(() -> !upstream.calls().isEmpty());

                gateway.gateway().drain();

                for (RawClient client : clients) {
                    client.close();
                }
                assertThat(most.get()).isEqualTo(1);
            }
        }
    }

    @Test
    void whatDoesNotEndInTimeIsCut() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    call.streamHead();
                    call.chunk("data: 1\n\n");
                    call.awaitClose();
                });
                RunningGateway gateway = RunningGateway.start(
                        RunningGateway.oneProvider(upstream.url(), 1, "{limit: 1}") + "http: {drain: 300ms}\n");
                RawClient client = RawClient.connect(gateway.port()).send(chat(STREAM))) {
            assertThat(client.head().status()).isEqualTo(200);
            assertThat(client.chunk()).isEqualTo("data: 1\n\n");

            gateway.gateway().drain();

            assertThat(client.rest()).contains("shutting_down").doesNotContain("[DONE]", "\r\n0\r\n\r\n");
            await().atMost(10, SECONDS).until(() -> upstream.running() == 0);
        }
    }
}
