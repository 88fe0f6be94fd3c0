package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PipeliningTest {
    private static final String PLAIN = "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    private static final String LIVE = "GET /livez HTTP/1.1\r\nhost: g\r\n\r\n";

    private RawUpstream upstream;
    private RunningGateway gateway;

    @BeforeEach
    void start() throws IOException {
        upstream = RawUpstream.start(call -> call.json(200, call.body()));
        gateway = RunningGateway.start(RunningGateway.oneProvider(upstream.url(), 1, "{limit: 1}"));
    }

    @AfterEach
    void stop() throws IOException {
        gateway.awaitIdle();
        gateway.close();
        upstream.close();
    }

    @Test
    void requestsSentAheadAreAnsweredInTheirOrder() throws IOException {
        try (RawClient client = RawClient.connect(gateway.port())) {
            String requests = "";
            for (int i = 0; i < 30; i++) {
                requests += chat(PLAIN.replace("hi", "number " + i)) + LIVE;
            }
            client.send(requests);

            for (int i = 0; i < 30; i++) {
                assertThat(client.answer().body()).contains("\"number " + i + "\"");
                assertThat(client.answer().body()).isEqualTo("ok\n");
            }
        }
    }

    @Test
    void aClientThatIsAlwaysALittleAheadIsServedForEver() throws IOException {
        try (RawClient client = RawClient.connect(gateway.port())) {
            client.send(chat(PLAIN).repeat(3));

            // Far more in all than a client may be ahead at once.
            for (int i = 0; i < 600; i++) {
                client.send(chat(PLAIN));
                assertThat(client.answer().status()).as("answer " + i).isEqualTo(200);
            }
            for (int i = 0; i < 3; i++) {
                assertThat(client.answer().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void aRequestThatComesInPiecesWhileAnotherRunsIsAnsweredNext() throws IOException {
        try (RawClient client = RawClient.connect(gateway.port())) {
            String second = chat(PLAIN.replace("hi", "second"));
            client.send(chat(PLAIN) + second.substring(0, second.length() - 20));

            assertThat(client.answer().body()).contains("\"hi\"");
            client.send(second.substring(second.length() - 20) + LIVE);
            assertThat(client.answer().body()).contains("\"second\"");
            assertThat(client.answer().body()).isEqualTo("ok\n");
        }
    }

    @Test
    void aClientThatWantsNoMoreIsClosedAlsoIfItSaysSoInAList() throws IOException {
        for (String connection : new String[] {"close", "Close", "keep-alive, close", "x-hop, CLOSE ,keep-alive"}) {
            try (RawClient client = RawClient.connect(gateway.port())) {
                client.send(chat(RunningGateway.KEY, PLAIN, "connection: " + connection + "\r\n"));

                assertThat(client.answer().status()).isEqualTo(200);
                assertThat(client.closedByServer()).as(connection).isTrue();
            }
        }
    }

    @Test
    void whoeverHasItsAnswerFindsItsOwnSlotFree() throws IOException {
        for (int i = 0; i < 200; i++) {
            try (RawClient client = RawClient.connect(gateway.port())) {
                client.send(chat(PLAIN));

                assertThat(client.answer().status()).as("request " + i).isEqualTo(200);
            }
        }
    }

    @Test
    void whatFollowsAnAnswerThatEndsTheConnectionIsNotRun() throws IOException {
        try (RawClient client = RawClient.connect(gateway.port())) {
            client.send(chat("sk-unknown", PLAIN, "") + chat(PLAIN));

            assertThat(client.answer().status()).isEqualTo(401);
            assertThat(client.closedByServer()).isTrue();
        }
        assertThat(upstream.calls()).isEmpty();
    }

    @Test
    void oldClientsSeeTheEndOfAnAnswerWithoutALengthByTheEndOfTheConnection() throws IOException {
        var rest = new CountDownLatch(1);
        try (RawUpstream streams = RawUpstream.start(call -> {
                    call.streamHead();
                    call.chunk("data: 1\n\n");
                    rest.await(30, TimeUnit.SECONDS);
                    call.lastChunk();
                });
                RunningGateway streaming =
                        RunningGateway.start(RunningGateway.oneProvider(streams.url(), 1, "{limit: 1}"));
                RawClient client = RawClient.connect(streaming.port())) {
            String stream = PLAIN.replace("}]}", "}],\"stream\":true}");
            client.send(chat(RunningGateway.KEY, stream, "connection: keep-alive\r\n")
                    .replace("HTTP/1.1", "HTTP/1.0"));

            assertThat(client.head().headers())
                    .containsEntry("connection", "close")
                    .doesNotContainKey("transfer-encoding");
            rest.countDown();
            assertThat(client.rest()).isEqualTo("data: 1\n\n");
        }
    }

    @Test
    void oldClientsMayGoOnAfterAnAnswerWithALength() throws IOException {
        try (RawClient client = RawClient.connect(gateway.port())) {
            String old = chat(RunningGateway.KEY, PLAIN, "connection: keep-alive\r\n")
                    .replace("HTTP/1.1", "HTTP/1.0");

            assertThat(client.send(old).answer().status()).isEqualTo(200);
            assertThat(client.send(old).answer().status()).isEqualTo(200);
        }
    }

    @Test
    void oldClientsGetNoInterimAnswer() throws IOException {
        try (RawClient client = RawClient.connect(gateway.port())) {
            client.send(
                    chat(RunningGateway.KEY, PLAIN, "expect: 100-continue\r\n").replace("HTTP/1.1", "HTTP/1.0"));

            assertThat(client.head().status()).isEqualTo(200);
        }
    }
}
