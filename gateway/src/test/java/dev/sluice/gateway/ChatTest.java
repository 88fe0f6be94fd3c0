package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static dev.sluice.gateway.RawClient.exchange;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class ChatTest {
    private static final String BODY =
            "{ \"messages\":[{\"role\":\"user\",\"content\":\"\\u00e9 \\\"model\\\":\\\"no\\\"\"}],\r\n"
                    + " \"model\" : \"chat\", \"unknown\" : {\"model\":\"chat\", \"x\":1.50e3} }";

    @Test
    void onlyTheModelIsRewrittenAndEveryOtherByteIsTheClients() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{\"id\":1}"));
                RunningGateway gateway =
                        RunningGateway.start(RunningGateway.oneProvider(upstream.url(), 2, "{limit: 2}"))) {
            Answer answer = exchange(gateway.port(), chat(BODY));

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("{\"id\":1}");
            assertThat(upstream.calls().getFirst().body())
                    .isEqualTo(BODY.replace("\"model\" : \"chat\"", "\"model\" : \"served/name\""));
            gateway.awaitIdle();
        }
    }

    @Test
    void headersPassByTheListsInBothDirections() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> call.write("HTTP/1.1 200 OK\r\n"
                        + "content-type: application/json\r\ncontent-length: 2\r\nset-cookie: a=b\r\n"
                        + "x-ratelimit-limit-requests: 5\r\nx-hop: 1\r\nconnection: x-hop\r\nx-kept: yes\r\n"
                        + "x-request-id: theirs\r\nx-sluice-provider: forged\r\n\r\n{}"));
                RunningGateway gateway =
                        RunningGateway.start(RunningGateway.oneProvider(upstream.url(), 2, "{limit: 2}"))) {
            Answer answer = exchange(
                    gateway.port(),
                    chat(
                            RunningGateway.KEY,
                            "{\"model\":\"chat\",\"messages\":[{}]}",
                            "cookie: c=d\r\nx-api-key: k\r\nx-sluice-priority: 50\r\nforwarded: for=1.2.3.4\r\n"
                                    + "x-forwarded-for: 1.2.3.4\r\nopenai-beta: assistants=v2\r\nuser-agent: tests\r\n"
                                    + "accept-encoding: gzip\r\nx-custom: no\r\n"));

            String sent = upstream.calls().getFirst().head().toLowerCase(Locale.ROOT);
            assertThat(sent)
                    .startsWith("post /v1/chat/completions http/1.1\r\n")
                    .contains(
                            "authorization: bearer upstream-secret\r\n",
                            "openai-beta: assistants=v2\r\n",
                            "user-agent: tests\r\n",
                            "content-type: application/json\r\n",
                            "x-request-id: " + answer.header("x-request-id"))
                    .doesNotContain(
                            RunningGateway.KEY, "cookie", "x-api-key", "x-sluice", "forwarded", "gzip", "x-custom");
            assertThat(answer.headers())
                    .containsEntry("x-kept", "yes")
                    .containsEntry("x-sluice-provider", "up-1")
                    .containsEntry("x-sluice-platform", "here")
                    .containsEntry("x-sluice-priority", "50")
                    .containsKey("x-sluice-queue-ms")
                    .doesNotContainKeys("set-cookie", "x-ratelimit-limit-requests", "x-hop", "connection");
            assertThat(answer.header("x-request-id")).hasSize(36);
        }
    }

    @Test
    void aStreamIsRelayedChunkByChunkWithoutATouch() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    call.streamHead();
                    call.chunk("data: {\"half\":");
                    call.chunk("1}\n\ndata: [DONE]\n\n");
                    call.lastChunk();
                });
                RunningGateway gateway =
                        RunningGateway.start(RunningGateway.oneProvider(upstream.url(), 2, "{limit: 2}"));
                RawClient client = RawClient.connect(gateway.port())) {
            for (int i = 0; i < 3; i++) {
                Answer answer = client.send(
                                chat("{\"model\":\"chat\",\"stream\":true,\"messages\":[{\"role\":\"user\"}]}"))
                        .answer();

                assertThat(answer.header("content-type")).isEqualTo("text/event-stream");
                assertThat(answer.body()).isEqualTo("data: {\"half\":1}\n\ndata: [DONE]\n\n");
            }
            assertThat(upstream.connections()).as("connections are kept alive").isEqualTo(1);
            gateway.awaitIdle();
        }
    }

    @Test
    void aLargeAnswerPassesWithItsLength() throws IOException {
        String large = "{\"text\":\"" + "y".repeat(3 << 20) + "\"}";
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, large));
                RunningGateway gateway =
                        RunningGateway.start(RunningGateway.oneProvider(upstream.url(), 2, "{limit: 2}"))) {
            Answer answer = exchange(gateway.port(), chat("{\"model\":\"chat\",\"messages\":[{}]}"));

            assertThat(answer.header("content-length")).isEqualTo(Integer.toString(large.length()));
            assertThat(answer.body()).isEqualTo(large);
            gateway.awaitIdle();
        }
    }

    @Test
    void theModelsOfTheGroupAreListed() throws IOException {
        try (RunningGateway gateway =
                RunningGateway.start(RunningGateway.oneProvider("http://127.0.0.1:9/v1", 2, "{limit: 2}"))) {
            String ask = "GET /v1/models%s HTTP/1.1\r\nhost: g\r\nx-api-key: %s\r\n\r\n";

            assertThat(exchange(gateway.port(), ask.formatted("", RunningGateway.KEY))
                            .body())
                    .contains("\"id\":\"chat\"");
            assertThat(exchange(gateway.port(), ask.formatted("", RunningGateway.OTHER_KEY))
                            .body())
                    .contains("\"id\":\"other\"")
                    .doesNotContain("\"id\":\"chat\"");
            assertThat(exchange(gateway.port(), ask.formatted("/chat", RunningGateway.KEY))
                            .status())
                    .isEqualTo(200);
            assertThat(exchange(gateway.port(), ask.formatted("/c%68at", RunningGateway.KEY))
                            .status())
                    .isEqualTo(200);
            assertThat(exchange(gateway.port(), ask.formatted("/none", RunningGateway.KEY))
                            .status())
                    .isEqualTo(404);
            assertThat(exchange(gateway.port(), ask.formatted("/chat", RunningGateway.OTHER_KEY))
                            .status())
                    .isEqualTo(404);
            assertThat(exchange(gateway.port(), ask.formatted("", "sk-unknown")).status())
                    .isEqualTo(401);
        }
    }

    @Test
    void aBodyIsTakenAfter100Continue() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway =
                        RunningGateway.start(RunningGateway.oneProvider(upstream.url(), 2, "{limit: 2}"));
                RawClient client = RawClient.connect(gateway.port())) {
            String body = "{\"model\":\"chat\",\"messages\":[{}]}";
            String whole = chat(RunningGateway.KEY, body, "expect: 100-continue\r\n");
            client.send(whole.substring(0, whole.length() - body.length()));

            assertThat(client.head().status()).isEqualTo(100);
            assertThat(client.send(body).answer().status()).isEqualTo(200);
        }
    }
}
