package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SlowClientTest {
    private static final String STREAM = "{\"model\":\"chat\",\"stream\":true,\"messages\":[{\"role\":\"user\"}]}";
    private static final String BLOCK = "data: " + "y".repeat(8_000) + "\n\n";

    @Test
    void oneThatNeverReadsHoldsTheUpstreamBackAndIsGivenUp() throws IOException {
        AtomicLong written = new AtomicLong();
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    call.streamHead();
                    while (true) {
                        call.chunk(BLOCK);
                        written.addAndGet(BLOCK.length());
                    }
                });
                RunningGateway gateway = RunningGateway.start(
                        RunningGateway.oneProvider(upstream.url(), 1, "{limit: 1}"), RunningGateway.SHORT);
                RawClient client = RawClient.connect(gateway.port(), 4_096).send(chat(STREAM))) {
            await("the lease is released")
                    .atMost(20, SECONDS)
                    .until(() -> !upstream.calls().isEmpty() && upstream.running() == 0);

            assertThat(written.get()).as("bytes taken from the upstream").isLessThan(32L << 20);
            gateway.awaitIdle();
            await("its connection is cut, too, although it never reads")
                    .atMost(10, SECONDS)
                    .until(() -> gateway.gateway().openConnections() == 0);
            assertThat(client.rest()).doesNotContain("[DONE]");
        }
    }

    @Test
    void oneThatReadsLateGetsEveryByte() throws IOException {
        int blocks = 2_000;
        AtomicLong written = new AtomicLong();
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    call.streamHead();
                    for (int i = 0; i < blocks; i++) {
                        call.chunk(BLOCK);
                        written.incrementAndGet();
                    }
                    call.lastChunk();
                });
                RunningGateway gateway =
                        RunningGateway.start(RunningGateway.oneProvider(upstream.url(), 1, "{limit: 1}"));
                RawClient client = RawClient.connect(gateway.port(), 4_096).send(chat(STREAM))) {
            long[] before = {-1};
            await("back-pressure has reached the upstream").atMost(20, SECONDS).until(() -> {
                long now = written.get();
                boolean stands = now > 0 && now == before[0];
                before[0] = now;
                return stands;
            });
            assertThat(written.get()).isLessThan(blocks);

            assertThat(client.answer().body()).isEqualTo(BLOCK.repeat(blocks));
            gateway.awaitIdle();
        }
    }

    @Test
    void aBodyOfOneByteAtATimeIsRefusedInTime() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway = RunningGateway.start(
                        RunningGateway.oneProvider(upstream.url(), 1, "{limit: 1}"), RunningGateway.SHORT);
                RawClient client = RawClient.connect(gateway.port())) {
            String whole = chat(STREAM);
            client.send(whole.substring(0, whole.length() - STREAM.length()));
            var refusal = new Semaphore(0);
            Thread dripping = Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 0; i < STREAM.length() && !refusal.tryAcquire(100, MILLISECONDS); i++) {
                        client.send(STREAM.substring(i, i + 1));
                    }
                } catch (IOException | InterruptedException refused) {
                    // As expected.
                }
            });

            assertThat(client.answer().status()).isEqualTo(408);
            assertThat(client.closedByServer()).isTrue();
            refusal.release();
            dripping.join();
            gateway.awaitIdle();
        }
    }

    @Test
    void aConnectionThatBringsNoRequestIsClosed() throws IOException {
        try (RunningGateway gateway = RunningGateway.start(
                        RunningGateway.oneProvider("http://127.0.0.1:9/v1", 1, "{limit: 1}"), RunningGateway.SHORT);
                RawClient silent = RawClient.connect(gateway.port());
                RawClient halfAHead =
                        RawClient.connect(gateway.port()).send("GET /livez HTTP/1.1\r\nhost: g\r\nx-a: ")) {
            assertThat(silent.closedByServer()).isTrue();
            assertThat(halfAHead.closedByServer()).isTrue();
        }
    }

    @Test
    void allBodiesTogetherAreBounded() throws IOException {
        try (RunningGateway gateway = RunningGateway.start(
                        RunningGateway.oneProvider("http://127.0.0.1:9/v1", 1, "{limit: 1}") + """
                http: {max-body: 64KiB, max-buffered: 64KiB}
                """);
                RawClient first = RawClient.connect(gateway.port());
                RawClient second = RawClient.connect(gateway.port())) {
            String body = "y".repeat(60_000);
            String whole = chat(body);
            first.send(whole.substring(0, whole.length() - 10));
            await().atMost(10, SECONDS).until(() -> gateway.gateway().bufferedBytes() > 50_000);

            RawClient.Answer answer = second.send(whole).answer();

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body()).contains("\"code\":\"buffers_full\"");
            assertThat(answer.header("retry-after")).isEqualTo("1");
            first.close();
            gateway.awaitIdle();
        }
    }
}
