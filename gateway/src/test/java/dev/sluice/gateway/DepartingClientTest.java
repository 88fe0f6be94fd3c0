package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.http.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A client that leaves is noticed at each phase; its upstream is closed and its lease released")
final class DepartingClientTest {
    private static final String PLAIN = "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    private static final String STREAM = PLAIN.replace("}]}", "}],\"stream\":true}");

    /** How it leaves. */
    enum Way {
        CLOSE,
        RESET,
        HALF_CLOSE;

        void leave(RawClient client) throws IOException {
            switch (this) {
                case CLOSE -> client.close();
                case RESET -> client.reset();
                case HALF_CLOSE -> client.halfClose();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void whileItsBodyIsRead(Way way) throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway = start(upstream);
                RawClient client = RawClient.connect(gateway.port())) {
            String whole = chat(PLAIN);
            client.send(whole.substring(0, whole.length() - 5));
            await().atMost(10, SECONDS).until(() -> gateway.gateway().bufferedBytes() > 0);

            way.leave(client);

            gateway.awaitIdle();
            assertThat(upstream.calls()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void whileItWaits(Way way) throws IOException {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = start(upstream);
                RawClient holder = RawClient.connect(gateway.port()).send(chat(PLAIN));
                RawClient waiting = RawClient.connect(gateway.port())) {
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);
            waiting.send(chat(STREAM));
            gateway.awaitWaiting(1);

            way.leave(waiting);

            gateway.awaitWaiting(0);
            assertThat(upstream.calls()).as("it never started").hasSize(1);
            holder.close();
            gateway.awaitIdle();
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void beforeTheUpstreamsHead(Way way) throws IOException {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = start(upstream);
                RawClient client = RawClient.connect(gateway.port()).send(chat(PLAIN))) {
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);

            way.leave(client);

            await("the upstream is closed").atMost(10, SECONDS).until(() -> upstream.running() == 0);
            gateway.awaitIdle();
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void whileAStreamIsSilent(Way way) throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    call.streamHead();
                    call.chunk("data: 1\n\n");
                    call.awaitClose();
                });
                RunningGateway gateway = start(upstream);
                RawClient client = RawClient.connect(gateway.port()).send(chat(STREAM))) {
            assertThat(client.head().status()).isEqualTo(200);
            assertThat(client.chunk()).isEqualTo("data: 1\n\n");

            way.leave(client);

            await("the upstream is closed").atMost(10, SECONDS).until(() -> upstream.running() == 0);
            gateway.awaitIdle();
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void midStream(Way way) throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    call.streamHead();
                    while (true) {
                        call.chunk("data: more\n\n");
                    }
                });
                RunningGateway gateway = start(upstream);
                RawClient client = RawClient.connect(gateway.port()).send(chat(STREAM))) {
            assertThat(client.head().status()).isEqualTo(200);
            assertThat(client.chunk()).isNotEmpty();

            way.leave(client);

            await("the upstream is closed").atMost(10, SECONDS).until(() -> upstream.running() == 0);
            gateway.awaitIdle();
        }
    }

    @Test
    void itsSlotIsFreeOnlyWhenTheUpstreamHasNoticed() throws IOException {
        CountDownLatch atWork = new CountDownLatch(1);
        CountDownLatch toldToStop = new CountDownLatch(1);
        CountDownLatch stops = new CountDownLatch(1);
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    atWork.countDown();
                    call.awaitClose();
                    toldToStop.countDown();
                    stops.await();
                    call.close();
                });
                RunningGateway gateway = startWith(upstream, Duration.ofMinutes(5));
                RawClient first = RawClient.connect(gateway.port()).send(chat(PLAIN));
                RawClient next = RawClient.connect(gateway.port())) {
            await().atMost(10, SECONDS).until(() -> atWork.getCount() == 0);
            next.send(chat(PLAIN));
            gateway.awaitWaiting(1);

            first.close();
            await().atMost(10, SECONDS).until(() -> toldToStop.getCount() == 0);

            assertThat(gateway.snapshot().queueDepth())
                    .as("the next still waits")
                    .isEqualTo(1);
            stops.countDown();
            gateway.awaitWaiting(0);
            next.close();
            gateway.awaitIdle();
        }
    }

    @Test
    void anUpstreamThatDoesNotEndItsSideIsReset() throws IOException {
        CountDownLatch atWork = new CountDownLatch(1);
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    atWork.countDown();
                    call.awaitClose();
                    call.streamHead();
                    // It has seen our end and goes on all the same, until the connection is reset.
                    while (true) {
                        call.chunk("data: more\n\n");
                    }
                });
                RunningGateway gateway = startWith(upstream, Duration.ofMillis(1));
                RawClient client = RawClient.connect(gateway.port()).send(chat(PLAIN))) {
            await().atMost(10, SECONDS).until(() -> atWork.getCount() == 0);

            client.close();

            await("the upstream is cut off").atMost(10, SECONDS).until(() -> upstream.running() == 0);
            gateway.awaitIdle();
        }
    }

    @Test
    void itsPlaceGoesToTheNextInLine() throws IOException {
        CountDownLatch first = new CountDownLatch(1);
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    first.await();
                    call.json(200, "{}");
                });
                RunningGateway gateway = start(upstream);
                RawClient holder = RawClient.connect(gateway.port()).send(chat(PLAIN));
                RawClient leaving = RawClient.connect(gateway.port());
                RawClient next = RawClient.connect(gateway.port())) {
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);
            leaving.send(chat(PLAIN));
            gateway.awaitWaiting(1);
            next.send(chat(PLAIN));
            gateway.awaitWaiting(2);

            leaving.close();
            gateway.awaitWaiting(1);
            first.countDown();

            assertThat(holder.answer().status()).isEqualTo(200);
            assertThat(next.answer().status()).isEqualTo(200);
            assertThat(upstream.calls()).hasSize(2);
            gateway.awaitIdle();
        }
    }

    @Test
    void whileTheUpstreamDoesNotReadTheBody() throws IOException {
        try (ServerSocket deaf = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
                RunningGateway gateway = RunningGateway.start(RunningGateway.oneProvider(
                        "http://127.0.0.1:" + deaf.getLocalPort() + "/v1", 1, "{limit: 1}"));
                RawClient client = RawClient.connect(gateway.port())) {
            client.send(chat(PLAIN.replace("hi", "y".repeat(12 << 20))));
            try (Socket upstream = deaf.accept()) {
                await().atMost(10, SECONDS)
                        .until(() -> gateway.snapshot()
                                        .provider("up-1")
                                        .orElseThrow()
                                        .inFlight()
                                == 1);

                client.close();

                gateway.awaitIdle();
                assertThat(upstream.isConnected()).isTrue();
            }
        }
    }

    @Test
    void evenIfItSentFurtherRequestsBefore() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = start(upstream);
                RawClient client = RawClient.connect(gateway.port())) {
            client.send(chat(PLAIN) + chat(PLAIN) + chat(PLAIN));
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);

            client.close();

            await("the upstream is closed").atMost(10, SECONDS).until(() -> upstream.running() == 0);
            gateway.awaitIdle();
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void evenIfItSentManyRequestsAhead(Way way) throws IOException {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = start(upstream);
                RawClient client = RawClient.connect(gateway.port())) {
            client.send(chat(PLAIN) + "GET /livez HTTP/1.1\r\nhost: g\r\n\r\n".repeat(100));
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);

            way.leave(client);

            await("the upstream is closed").atMost(10, SECONDS).until(() -> upstream.running() == 0);
            gateway.awaitIdle();
        }
    }

    @Test
    void orSentMoreAheadThanIsKept() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = start(upstream);
                RawClient client = RawClient.connect(gateway.port())) {
            client.send(chat(PLAIN));
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);

            client.send(chat("y".repeat(1 << 20)));

            await("the upstream is closed").atMost(10, SECONDS).until(() -> upstream.running() == 0);
            gateway.awaitIdle();
        }
    }

    private static RunningGateway startWith(RawUpstream upstream, Duration parting) {
        Duration minute = Duration.ofMinutes(1);
        return RunningGateway.start(
                RunningGateway.oneProvider(upstream.url(), 1, "{limit: 1, queue: 10, max-wait: 60s}"),
                new Patience(minute, minute, minute, minute, parting));
    }

    private static RunningGateway start(RawUpstream upstream) {
        return RunningGateway.start(
                RunningGateway.oneProvider(upstream.url(), 1, "{limit: 1, queue: 10, max-wait: 60s}"));
    }
}
