package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static dev.sluice.gateway.RawClient.exchange;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.Mode;
import dev.sluice.admission.Routing;
import dev.sluice.admission.Scope;
import dev.sluice.admission.Snapshot.ScopeView;
import dev.sluice.gateway.RawClient.Answer;
import dev.sluice.gateway.http.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

final class DrainTest {
    private static final String PLAIN = "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    private static final String STREAM = PLAIN.replace("}]}", "}],\"stream\":true}");
    private static final int WAITING = 100;
    private static final String MODELS =
            "GET /v1/models HTTP/1.1\r\nhost: g\r\nauthorization: Bearer " + RunningGateway.KEY + "\r\n\r\n";
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
            // A client that asks again and again must not be in the middle of it when the connections close.
            for (String request : List.of(READYZ, MODELS, chat("no-key", PLAIN, ""))) {
                try (RawClient client = RawClient.connect(gateway.port())) {
                    assertThat(client.send(request).answer().header("connection"))
                            .isEqualTo("close");
                    assertThat(client.closedByServer()).isTrue();
                }
            }
            Answer late = exchange(gateway.port(), chat(PLAIN));
            assertThat(late.status()).isEqualTo(503);
            assertThat(late.header("connection")).isEqualTo("close");

            go.release();
            assertThat(running.answer().status()).isEqualTo(200);
            draining.join();
        }
    }

    @Test
    void aGrantThatMeetsADrainRunsWithItsLease() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = RunningGateway.start(
                        RunningGateway.oneProvider(upstream.url(), 1, "{limit: 1, queue: 200}"), Patience.DEFAULT, 1)) {
            Admission ledger = gateway.gateway().admission();
            Admitted holder = (Admitted)
                    ledger.submit(ask()).outcome().toCompletableFuture().join();
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < WAITING; i++) {
                clients.add(RawClient.connect(gateway.port()).send(chat(PLAIN)));
            }
            gateway.awaitWaiting(WAITING);

            Thread draining = Thread.ofVirtual().start(gateway.gateway()::drain);
            while (gateway.snapshot().queueDepth() == WAITING) {
                Thread.onSpinWait();
            }
            // Now: the next in line is told of its grant after the loop has gone through all that waited.
            ledger.release(holder.task(), holder.epoch());
            await("whoever is left runs")
                    .atMost(10, SECONDS)
                    .until(() -> gateway.gateway().openConnections() == upstream.running());

            assertThat(gateway.snapshot().scopes())
                    .filteredOn(scope -> scope.scope().type().equals(Scope.PLATFORM_MODEL))
                    .extracting(ScopeView::active)
                    .contains(upstream.running() * 1_000L);
            for (RawClient client : clients) {
                client.close();
            }
            draining.join();
        }
    }

    private static Ask ask() {
        return new Ask(
                UUID.randomUUID(),
                new Mode.Sync("a-waiter", "a-holder"),
                0,
                List.of(),
                Optional.of(new Routing("chat", 1_000, false)),
                MaxWait.INHERIT,
                "");
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
