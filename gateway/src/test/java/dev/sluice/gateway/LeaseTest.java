package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Eviction;
import dev.sluice.admission.TaskFilter;
import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The lease of a running request")
final class LeaseTest {
    private static final String BODY = "{\"model\":\"chat\",\"stream\":true,\"messages\":[{\"role\":\"user\"}]}";

    private final Semaphore go = new Semaphore(0);
    private RawUpstream upstream;
    private RunningGateway gateway;

    @BeforeEach
    void start() throws IOException {
        upstream = RawUpstream.start(call -> {
            call.streamHead();
            call.chunk("data: first\n\n");
            go.acquire();
            call.chunk("data: [DONE]\n\n");
            call.lastChunk();
        });
        gateway = RunningGateway.start(
                RunningGateway.oneProvider(upstream.url(), 5, "{limit: 1, queue: 5, lease-ttl: 3s}"));
    }

    @AfterEach
    void stop() throws IOException {
        go.release(1_000);
        gateway.close();
        upstream.close();
    }

    @Test
    void outlivesItsTtlWhileTheUpstreamIsSilentAndEndsWithTheLastByte() throws IOException {
        try (RawClient running = RawClient.connect(gateway.port()).send(chat(BODY));
                RawClient next = RawClient.connect(gateway.port())) {
            Answer head = running.head();
            assertThat(running.chunk()).isEqualTo("data: first\n\n");
            next.send(chat(BODY));
            gateway.awaitWaiting(1);

            await("longer than the TTL of 3 s")
                    .during(4, SECONDS)
                    .atMost(10, SECONDS)
                    .until(() -> upstream.running() == 1 && gateway.snapshot().queueDepth() == 1);

            go.release(2);
            assertThat(running.answer(head).body()).isEqualTo("data: [DONE]\n\n");
            assertThat(next.answer().body()).isEqualTo("data: first\n\ndata: [DONE]\n\n");
            assertThat(gateway.gateway().admission().totals().leasesExpired()).isZero();
            gateway.awaitIdle();
        }
    }

    @Test
    void thatIsGoneEndsTheRequestAtTheNextRenewal() throws IOException {
        try (RawClient running = RawClient.connect(gateway.port()).send(chat(BODY))) {
            Answer head = running.head();
            assertThat(running.chunk()).isEqualTo("data: first\n\n");
            UUID task = UUID.fromString(head.header("x-request-id"));
            assertThat(gateway.gateway().admission().list(TaskFilter.ALL))
                    .extracting(view -> view.task())
                    .containsExactly(task);

            assertThat(gateway.gateway().admission().cancel(task, Eviction.OPERATOR))
                    .isCompletedWithValue(true);

            assertThat(running.rest())
                    .contains("\"code\":\"admission_unavailable\"")
                    .doesNotContain("[DONE]");
            gateway.awaitIdle();
        }
    }
}
