package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static dev.sluice.gateway.RawClient.exchange;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.RawClient.Answer;
import dev.sluice.gateway.RawUpstream.Script;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MisbehavingUpstreamTest {
    private static final String PLAIN = "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    private static final String STREAM = PLAIN.replace("}]}", "}],\"stream\":true}");
    private static final String HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

    private static Answer ask(String body, Script script) throws IOException {
        try (RawUpstream upstream = RawUpstream.start(script);
                RunningGateway gateway = start(upstream.url())) {
            Answer answer = exchange(gateway.port(), chat(body));
            gateway.awaitIdle();
            return answer;
        }
    }

    private static RunningGateway start(String url) {
        return RunningGateway.start(RunningGateway.oneProvider(url, 1, "{limit: 1, queue: 5, max-wait: 20s}") + """
                http: {idle-timeout: 1s}
                dispatch: {max-queue: 0}
                """);
    }

    private static void assertError(Answer answer, int status, String code) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains("\"code\":\"" + code + "\"", "\"type\":\"api_error\"", "\"param\":null");
    }

    @Test
    void silentBeforeItsHeadIsATimeout() throws IOException {
        assertError(ask(PLAIN, RawUpstream.Call::awaitClose), 504, "upstream_timeout");
    }

    @Test
    void silentInsideAJsonAnswerIsATimeout() throws IOException {
        assertError(
                ask(PLAIN, call -> {
                    call.write(HEAD + "content-length: 10\r\n\r\n{");
                    call.awaitClose();
                }),
                504,
                "upstream_timeout");
    }

    @Test
    void headersWithoutEndAreBoundedInTime() throws IOException {
        assertError(
                ask(PLAIN, call -> {
                    call.write("HTTP/1.1 200 OK\r\n");
                    for (int i = 0; !call.closesWithin(50); i++) {
                        call.write("x-" + i + ": y\r\n");
                    }
                }),
                504,
                "upstream_timeout");
    }

    @Test
    void headersWithoutEndAreBoundedInSize() throws IOException {
        assertError(
                ask(PLAIN, call -> {
                    call.write("HTTP/1.1 200 OK\r\n");
                    while (true) {
                        call.write("x-more: " + "y".repeat(1_000) + "\r\n");
                    }
                }),
                502,
                "upstream_error");
    }

    @Test
    void whatIsNotHttpIsAnError() throws IOException {
        assertError(
                ask(PLAIN, call -> {
                    call.write("SSH-2.0-OpenSSH_9.2\r\n\r\n");
                    call.awaitClose();
                }),
                502,
                "upstream_error");
    }

    @Test
    void aResetBeforeTheHeadIsAnError() throws IOException {
        assertError(ask(PLAIN, RawUpstream.Call::reset), 502, "upstream_error");
    }

    @Test
    void aCloseBeforeTheHeadIsAnError() throws IOException {
        assertError(ask(PLAIN, RawUpstream.Call::close), 502, "upstream_error");
    }

    @Test
    void aJsonAnswerThatIsCutIsAnErrorAndNotHalfAnAnswer() throws IOException {
        assertError(
                ask(PLAIN, call -> {
                    call.write(HEAD + "content-length: 100\r\n\r\n{\"choices\":[");
                    call.close();
                }),
                502,
                "upstream_error");
    }

    @Test
    void nobodyListensIsAnError() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        try (RunningGateway gateway = start("http://127.0.0.1:" + free + "/v1")) {
            assertError(exchange(gateway.port(), chat(PLAIN)), 502, "upstream_error");
            gateway.awaitIdle();
        }
    }

    @Test
    void aRedirectionIsNotFollowed() throws IOException {
        assertError(
                ask(
                        PLAIN,
                        call -> call.write(
                                "HTTP/1.1 307 Go\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n")),
                502,
                "upstream_error");
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 102, 199, 600, 999, 99, 0})
    void aStatusThatEndsNoRequestIsAnError(int status) throws IOException {
        assertError(ask(PLAIN, call -> call.json(status, "{}")), 502, "upstream_error");
    }

    @Test
    void aStreamThatIsShorterThanItsLengthCannotPassForComplete() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    call.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 40\r\n\r\n"
                            + "data: {\"a\":1}\n\n");
                    call.close();
                });
                RunningGateway gateway = start(upstream.url());
                RawClient client = RawClient.connect(gateway.port()).send(chat(STREAM))) {
            assertThat(client.head().header("content-length")).isEmpty();

            assertThat(client.rest())
                    .containsSubsequence("data: {\"a\":1}\n\n", "\"code\":\"upstream_error\"}}\n\n")
                    .doesNotContain("\r\n0\r\n\r\n");
            gateway.awaitIdle();
        }
    }

    @Test
    void itsOwnRefusalPassesThrough() throws IOException {
        for (int status : new int[] {400, 401, 404, 422, 429, 500, 503}) {
            Answer answer = ask(PLAIN, call -> call.json(status, "{\"error\":{\"message\":\"mine\"}}"));

            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.body()).isEqualTo("{\"error\":{\"message\":\"mine\"}}");
        }
    }

    @Test
    void aStreamThatBreaksOffEndsWithItsReasonAndWithoutAnEnd() throws IOException {
        // A reset takes back what was sent and not read yet.
        var arrived = new Semaphore(0);
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    call.streamHead();
                    call.chunk("data: {\"a\":1}\n\ndata: {\"hal");
                    arrived.acquire();
                    call.reset();
                });
                RunningGateway gateway = start(upstream.url());
                RawClient client = RawClient.connect(gateway.port()).send(chat(STREAM))) {
            assertThat(client.head().status()).isEqualTo(200);
            arrived.release();
            String rest = client.rest();

            assertThat(rest)
                    .contains("data: {\"a\":1}\n\ndata: {\"hal")
                    .containsSubsequence("\n\n", "data: {\"error\":{", "\"code\":\"upstream_error\"}}\n\n")
                    .doesNotContain("[DONE]", "\r\n0\r\n\r\n");
            gateway.awaitIdle();
        }
    }

    @Test
    void aStreamThatFallsSilentEndsWithItsReason() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    call.streamHead();
                    call.chunk("data: {\"a\":1}\n\n");
                    call.awaitClose();
                });
                RunningGateway gateway = start(upstream.url());
                RawClient client = RawClient.connect(gateway.port()).send(chat(STREAM))) {
            assertThat(client.head().status()).isEqualTo(200);

            assertThat(client.rest())
                    .contains("data: {\"a\":1}\n\n", "\"code\":\"upstream_timeout\"")
                    .doesNotContain("[DONE]", "\r\n0\r\n\r\n");
            gateway.awaitIdle();
        }
    }

    @Test
    void aMalformedStreamPassesUntouched() throws IOException {
        String nonsense = "data {\n:::\ndata: \u0000\n\n\n";
        Answer answer = ask(STREAM, call -> {
            call.streamHead();
            call.chunk(nonsense);
            call.lastChunk();
        });

        assertThat(answer.body()).isEqualTo(nonsense);
    }

    @Test
    void anIdleConnectionThatItClosedIsNotAnError() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    call.json(200, "{}");
                    call.close();
                });
                RunningGateway gateway = start(upstream.url())) {
            for (int i = 0; i < 20; i++) {
                assertThat(exchange(gateway.port(), chat(PLAIN)).status()).isEqualTo(200);
            }
            gateway.awaitIdle();
        }
    }
}
