package dev.sluice.gateway.upstream;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient;
import dev.sluice.gateway.config.Upstream.Simulated;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

final class SimulatedServerTest {
    private static final String BODY = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";

    private static int port(SimulatedServer server) {
        return URI.create(server.baseUrl()).getPort();
    }

    @Test
    void itCountsWhatRunsInAllAndByKey() throws IOException {
        try (SimulatedServer server =
                        SimulatedServer.start(new Simulated(Duration.ofHours(1), 50, 0, 0, 1, 1, OptionalInt.empty()));
                RawClient one = RawClient.connect(port(server)).send(RawClient.chat("key-a", BODY, ""));
                RawClient two = RawClient.connect(port(server)).send(RawClient.chat("key-b", BODY, ""))) {
            await().atMost(10, SECONDS).until(() -> server.count().now() == 2);

            one.close();
            two.close();

            await().atMost(10, SECONDS).until(() -> server.count().now() == 0);
            assertThat(server.count().max()).isEqualTo(2);
            assertThat(server.count().max("key-a")).isEqualTo(1);
            assertThat(server.count().abandoned()).isEqualTo(2);
        }
    }

    @Test
    void beyondItsCapacityItAnswers429() throws IOException {
        try (SimulatedServer server =
                        SimulatedServer.start(new Simulated(Duration.ofHours(1), 50, 0, 0, 1, 1, OptionalInt.of(1)));
                RawClient holder = RawClient.connect(port(server)).send(RawClient.chat(BODY))) {
            await().atMost(10, SECONDS).until(() -> server.count().now() == 1);

            RawClient.Answer answer = RawClient.exchange(port(server), RawClient.chat(BODY));

            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.body()).contains("rate_limit_error");
            holder.close();
        }
    }

    @Test
    void itStreamsRealEvents() throws IOException {
        try (SimulatedServer server =
                SimulatedServer.start(new Simulated(Duration.ofMillis(1), 10_000, 0, 0, 1, 1, OptionalInt.empty()))) {
            RawClient.Answer answer =
                    RawClient.exchange(port(server), RawClient.chat(BODY.replace("}]}", "}],\"stream\":true}")));

            assertThat(answer.header("content-type")).startsWith("text/event-stream");
            assertThat(answer.body()).startsWith("data: {").endsWith("data: [DONE]\n\n");
            assertThat(server.count().now()).isZero();
        }
    }
}
