package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static dev.sluice.gateway.RawClient.exchange;
import static dev.sluice.gateway.RunningGateway.KEY;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.TaskFilter;
import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class IdempotencyTest {
    private static final String BODY = "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";

    private final Semaphore go = new Semaphore(0);
    private RawUpstream upstream;
    private RunningGateway gateway;

    @BeforeEach
    void start() throws IOException {
        upstream = RawUpstream.start(call -> {
            go.acquire();
            call.json(200, "{}");
        });
        gateway = RunningGateway.start(RunningGateway.oneProvider(upstream.url(), 1, "{limit: 1, queue: 5}"));
    }

    @AfterEach
    void stop() throws IOException {
        go.release(1_000);
        gateway.close();
        upstream.close();
    }

    private static String keyed(String body) {
        return chat(KEY, body, "idempotency-key: order-7\r\n");
    }

    private RawClient running(String request) throws IOException {
        RawClient client = RawClient.connect(gateway.port()).send(request);
        await().atMost(10, SECONDS).until(() -> upstream.running() == 1);
        return client;
    }

    @Test
    void aRunningTaskIsNotStartedTwice() throws IOException {
        try (RawClient first = running(keyed(BODY))) {
            Answer second = exchange(gateway.port(), keyed(BODY));

            assertThat(second.status()).as(second.body()).isEqualTo(409);
            assertThat(second.body()).contains("\"code\":\"idempotency_in_progress\"", "\"type\":\"conflict_error\"");
            assertThat(second.header("retry-after")).isNotEmpty();
            go.release();
            assertThat(first.answer().header("x-request-id")).isEqualTo(second.header("x-request-id"));
        }
    }

    @Test
    void anotherBodyUnderTheKeyIsRefused() throws IOException {
        try (RawClient first = running(keyed(BODY))) {
            Answer second = exchange(gateway.port(), keyed(BODY.replace("hi", "ho")));

            assertThat(second.status()).isEqualTo(422);
            assertThat(second.body()).contains("\"code\":\"idempotency_mismatch\"");
            String elsewhere = BODY.replace("\"messages\"", "\"prompt\":\"hi\",\"messages\"");
            assertThat(exchange(gateway.port(), keyed(elsewhere).replace("/v1/chat/completions", "/v1/completions"))
                            .status())
                    .as("of another path")
                    .isEqualTo(422);
            go.release();
            assertThat(first.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void aWaitingTaskIsTakenOverInItsPlace() throws IOException {
        try (RawClient holder = running(chat(BODY));
                RawClient old = RawClient.connect(gateway.port()).send(keyed(BODY))) {
            gateway.awaitWaiting(1);
            try (RawClient behind = RawClient.connect(gateway.port()).send(chat(BODY))) {
                gateway.awaitWaiting(2);
                try (RawClient taking = RawClient.connect(gateway.port()).send(keyed(BODY))) {
                    Answer superseded = old.answer();
                    assertThat(superseded.status()).isEqualTo(409);
                    assertThat(superseded.body()).contains("\"code\":\"superseded\"");
                    assertThat(superseded.header("x-should-retry")).isEqualTo("false");

                    go.release(2);
                    Answer answer = taking.answer();
                    assertThat(answer.status()).isEqualTo(200);
                    assertThat(answer.header("x-request-id")).isEqualTo(superseded.header("x-request-id"));
                    go.release();
                    assertThat(holder.answer().status()).isEqualTo(200);
                    assertThat(behind.answer().status()).isEqualTo(200);
                }
            }
            gateway.awaitIdle();
        }
    }

    @Test
    void aDepartedClientsPlaceIsKeptForItsReturn() throws IOException {
        try (RawClient holder = running(chat(BODY))) {
            RawClient leaving = RawClient.connect(gateway.port()).send(keyed(BODY));
            gateway.awaitWaiting(1);
            String task = gateway.gateway().admission().list(TaskFilter.ALL).stream()
                    .filter(view -> view.waiting())
                    .findFirst()
                    .orElseThrow()
                    .task()
                    .toString();
            leaving.close();
            await("it is skipped until it returns")
                    .atMost(10, SECONDS)
                    .until(() -> gateway.gateway().admission().list(TaskFilter.ALL).stream()
                            .anyMatch(view -> view.reason()
                                    .filter(reason -> reason.text().equals("detached"))
                                    .isPresent()));

            try (RawClient back = RawClient.connect(gateway.port()).send(keyed(BODY))) {
                go.release(2);

                assertThat(back.answer().header("x-request-id")).isEqualTo(task);
            }
            assertThat(holder.answer().status()).isEqualTo(200);
            gateway.awaitIdle();
        }
    }

    @Test
    void afterASuccessTheSameBodyRunsAgain() throws IOException {
        go.release(2);

        Answer first = exchange(gateway.port(), keyed(BODY));
        Answer second = exchange(gateway.port(), keyed(BODY));

        assertThat(first.status()).isEqualTo(200);
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.header("x-request-id")).isNotEqualTo(first.header("x-request-id"));
        assertThat(exchange(gateway.port(), keyed(BODY.replace("hi", "ho"))).status())
                .isEqualTo(422);
    }

    @Test
    void aRefusalForgetsTheKey() throws IOException {
        try (RawClient holder = running(chat(BODY))) {
            Answer refused =
                    exchange(gateway.port(), chat(KEY, BODY, "idempotency-key: order-7\r\nx-sluice-max-wait: 0\r\n"));
            assertThat(refused.status()).isEqualTo(429);
            go.release(2);
            assertThat(holder.answer().status()).isEqualTo(200);

            assertThat(exchange(gateway.port(), keyed(BODY.replace("hi", "ho"))).status())
                    .isEqualTo(200);
        }
    }
}
