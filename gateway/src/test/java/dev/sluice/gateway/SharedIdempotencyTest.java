package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static dev.sluice.gateway.RawClient.exchange;
import static dev.sluice.gateway.RunningGateway.KEY;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An idempotency key means the same task at every gateway of a database")
class SharedIdempotencyTest extends OnDatabase {
    private static final String BODY = "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    private static final String KEYED = chat(KEY, BODY, "idempotency-key: order-7\r\n");

    private final Semaphore go = new Semaphore(0);
    private RawUpstream upstream;
    private RunningGateway one;
    private RunningGateway other;

    @BeforeEach
    void start() throws IOException {
        upstream = RawUpstream.start(call -> {
            go.acquire();
            call.json(200, "{}");
        });
        one = gateway(upstream, "{limit: 1, queue: 5}", "");
        other = gateway(upstream, "{limit: 1, queue: 5}", "");
    }

    @AfterEach
    void stop() throws IOException {
        go.release(1_000);
        one.close();
        other.close();
        upstream.close();
    }

    private RawClient running(String request) throws IOException {
        RawClient client = RawClient.connect(one.port()).send(request);
        await().atMost(10, SECONDS).until(() -> upstream.running() == 1);
        return client;
    }

    @Test
    void aTaskThatRunsAtOneIsNotStartedAtAnother() throws IOException {
        try (RawClient first = running(KEYED)) {
            Answer second = exchange(other.port(), KEYED);

            assertThat(second.status()).as(second.body()).isEqualTo(409);
            assertThat(second.body()).contains("\"code\":\"idempotency_in_progress\"");
            go.release();
            assertThat(first.answer().header("x-request-id")).isEqualTo(second.header("x-request-id"));
            assertThat(upstream.running()).isZero();
        }
    }

    @Test
    void aTaskThatWaitsAtOneIsTakenOverByAnother() throws IOException {
        try (RawClient holder = running(chat(BODY));
                RawClient old = RawClient.connect(one.port()).send(KEYED)) {
            one.awaitWaiting(1);
            try (RawClient taking = RawClient.connect(other.port()).send(KEYED)) {
                Answer superseded = old.answer();
                assertThat(superseded.status()).as(superseded.body()).isEqualTo(409);
                assertThat(superseded.body()).contains("\"code\":\"superseded\"");

                go.release(2);
                Answer answer = taking.answer();
                assertThat(answer.status()).as(answer.body()).isEqualTo(200);
                assertThat(answer.header("x-request-id")).isEqualTo(superseded.header("x-request-id"));
                assertThat(holder.answer().status()).isEqualTo(200);
            }
            one.awaitIdle();
        }
    }
}
