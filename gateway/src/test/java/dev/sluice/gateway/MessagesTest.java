package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.exchange;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The Anthropic API, on a provider that speaks it")
final class MessagesTest {
    private static final String BODY =
            "{ \"max_tokens\" : 9, \"messages\":[{\"role\":\"user\",\"content\":\"\\u00e9\"}],"
                    + "\r\n \"model\" : %s, \"thinking\":{\"type\":\"enabled\"}, \"odd\" : {\"model\":\"chat\", \"x\":1.50e3}%s }";
    private static final String PLAIN = BODY.formatted("\"chat\"", "");
    private static final String STREAM = BODY.formatted("\"chat\"", ", \"stream\":true");

    private static String config(String url, String concurrency) {
        return RunningGateway.oneProvider(url, 9, concurrency).replace("base-url:", "type: anthropic, base-url:");
    }

    private static RunningGateway gateway(RawUpstream upstream, String concurrency) {
        return RunningGateway.start(config(upstream.url(), concurrency));
    }

    private static String messages(String path, String body, String headers) {
        return "POST " + path + " HTTP/1.1\r\nhost: gateway\r\nx-api-key: " + RunningGateway.KEY
                + "\r\ncontent-type: application/json\r\n" + headers + "content-length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body;
    }

    private static String messages(String body) {
        return messages("/v1/messages", body, "");
    }

    @Test
    void onlyTheModelIsRewrittenAndTheProvidersKeyIsSentItsWay() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> call.write("HTTP/1.1 200 OK\r\n"
                        + "content-type: application/json\r\ncontent-length: 2\r\nrequest-id: theirs\r\n"
                        + "anthropic-ratelimit-requests-limit: 5\r\n\r\n{}"));
                RunningGateway gateway = gateway(upstream, "{limit: 2}")) {
            Answer answer = exchange(gateway.port(), messages(PLAIN));

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("{}");
            assertThat(answer.header("request-id")).isEqualTo("theirs");
            assertThat(answer.headers()).doesNotContainKey("anthropic-ratelimit-requests-limit");
            RawUpstream.Call seen = upstream.calls().getFirst();
            assertThat(seen.body()).isEqualTo(BODY.formatted("\"served/name\"", ""));
            assertThat(seen.head().toLowerCase(Locale.ROOT))
                    .startsWith("post /v1/messages http/1.1\r\n")
                    .contains("x-api-key: upstream-secret\r\n", "anthropic-version: 2023-06-01\r\n")
                    .doesNotContain("authorization", RunningGateway.KEY);
            gateway.awaitIdle();
        }
    }

    @Test
    void theClientsVersionAndBetaPass() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway = gateway(upstream, "{limit: 2}")) {
            exchange(
                    gateway.port(),
                    messages("/v1/messages", PLAIN, "anthropic-version: 2099-01-01\r\nanthropic-beta: a,b\r\n"));

            assertThat(upstream.calls().getFirst().head().toLowerCase(Locale.ROOT))
                    .contains("anthropic-version: 2099-01-01\r\n", "anthropic-beta: a,b\r\n")
                    .doesNotContain("2023-06-01");
        }
    }

    @Test
    void tokensAreCountedByTheProvider() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{\"input_tokens\":7}"));
                RunningGateway gateway = gateway(upstream, "{limit: 2}")) {
            String body = "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";

            Answer answer = exchange(gateway.port(), messages("/v1/messages/count_tokens", body, ""));

            assertThat(answer.body()).isEqualTo("{\"input_tokens\":7}");
            assertThat(upstream.calls().getFirst().head()).startsWith("POST /v1/messages/count_tokens HTTP/1.1\r\n");
        }
    }

    @Test
    void aStreamIsRelayedWithoutATouch() throws IOException {
        String events = "event: message_start\ndata: {\"type\":\"message_start\"}\n\nevent: message_stop\ndata: {}\n\n";
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    call.streamHead();
                    call.chunk(events.substring(0, 30));
                    call.chunk(events.substring(30));
                    call.lastChunk();
                });
                RunningGateway gateway = gateway(upstream, "{limit: 2}")) {
            assertThat(exchange(gateway.port(), messages(STREAM)).body()).isEqualTo(events);
        }
    }

    @Test
    void modelsAreListedInTheShapeOfTheApiWhoseVersionTheClientNames() throws IOException {
        try (RunningGateway gateway = RunningGateway.start(config("http://127.0.0.1:9", "{limit: 2}"))) {
            String ask =
                    "GET /v1/models%s HTTP/1.1\r\nhost: g\r\nanthropic-version: 2023-06-01\r\nx-api-key: %s\r\n\r\n";

            assertThat(exchange(gateway.port(), ask.formatted("", RunningGateway.KEY))
                            .body())
                    .startsWith("{\"data\":[{\"type\":\"model\",\"id\":\"chat\"")
                    .endsWith("],\"has_more\":false,\"first_id\":\"chat\",\"last_id\":\"other\"}");
            assertThat(exchange(gateway.port(), ask.formatted("/c%68at", RunningGateway.KEY))
                            .body())
                    .startsWith("{\"type\":\"model\",\"id\":\"chat\"");
            assertRefused(gateway, ask.formatted("/none", RunningGateway.KEY), 404, "not_found_error");
            assertRefused(gateway, ask.formatted("/chat", RunningGateway.OTHER_KEY), 404, "not_found_error");
            assertRefused(gateway, ask.formatted("", "sk-unknown"), 401, "authentication_error");
            assertRefused(gateway, ask.formatted("?limit=0", RunningGateway.KEY), 400, "invalid_request_error");
            assertRefused(gateway, ask.formatted("?limit=%zz", RunningGateway.KEY), 400, "invalid_request_error");
            assertRefused(
                    gateway,
                    ask.formatted("", RunningGateway.KEY).replace("GET", "DELETE"),
                    405,
                    "invalid_request_error");
        }
    }

    private static void assertRefused(RunningGateway gateway, String request, int status, String type)
            throws IOException {
        Answer answer = exchange(gateway.port(), request);
        assertThat(answer.status()).as(request).isEqualTo(status);
        assertThat(answer.body()).startsWith("{\"type\":\"error\",\"error\":{\"type\":\"" + type + "\"");
    }

    private static final String EVENT = "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";

    /** An upstream that answers when the semaphore says so. */
    private static RawUpstream held(Semaphore go) throws IOException {
        return RawUpstream.start(call -> {
            go.acquire();
            call.streamHead();
            call.chunk(EVENT);
            call.lastChunk();
        });
    }

    private static RawClient running(RunningGateway gateway, RawUpstream upstream) throws IOException {
        RawClient client = RawClient.connect(gateway.port()).send(messages(STREAM));
        await().atMost(10, SECONDS).until(() -> upstream.running() == 1);
        return client;
    }

    @Test
    void aWaitingStreamIsPingedAndThenAnswered() throws IOException {
        Semaphore go = new Semaphore(0);
        try (RawUpstream upstream = held(go);
                RunningGateway gateway = RunningGateway.start(
                        config(upstream.url(), "{limit: 1, queue: 5}") + "queueing: {first-byte-grace: 0s}\n");
                RawClient holder = running(gateway, upstream);
                RawClient waiting = RawClient.connect(gateway.port()).send(messages(STREAM))) {
            assertThat(waiting.head().status()).isEqualTo(200);
            assertThat(waiting.chunk()).isEqualTo("event: ping\ndata: {\"type\":\"ping\"}\n\n");

            go.release(2);

            assertThat(waiting.chunk()).isEqualTo(EVENT);
            assertThat(waiting.chunk()).isEmpty();
            assertThat(holder.answer().status()).isEqualTo(200);
            gateway.awaitIdle();
        }
    }

    @Test
    void aStreamThatWaitsTooLongEndsWithAnErrorEvent() throws IOException {
        Semaphore go = new Semaphore(0);
        try (RawUpstream upstream = held(go);
                RunningGateway gateway =
                        RunningGateway.start(config(upstream.url(), "{limit: 1, queue: 5, max-wait: 1s}")
                                + "queueing: {first-byte-grace: 0s}\n");
                RawClient holder = running(gateway, upstream);
                RawClient waiting = RawClient.connect(gateway.port()).send(messages(STREAM))) {
            String id = waiting.head().header("x-request-id");
            String rest = waiting.rest();

            assertThat(rest)
                    .contains("event: ping\n", "event: error\ndata: {\"type\":\"error\"", "\"overloaded_error\"", id);
            go.release(2);
            assertThat(holder.answer().status()).isEqualTo(200);
            gateway.awaitIdle();
        }
    }

    @Test
    void sharedCapacityIsOverloadAndTheGroupsOwnLimitARateLimit() throws IOException {
        Semaphore go = new Semaphore(0);
        try (RawUpstream upstream = held(go);
                RunningGateway gateway = gateway(upstream, "{limit: 1}");
                RawClient holder = running(gateway, upstream)) {
            Answer answer = exchange(gateway.port(), messages(PLAIN));

            assertThat(answer.status()).isEqualTo(529);
            assertThat(answer.body())
                    .contains("\"overloaded_error\"", "\"request_id\":\"" + answer.header("x-request-id") + "\"");
            assertThat(answer.header("retry-after")).isNotEmpty();
            go.release(1);
            assertThat(holder.answer().status()).isEqualTo(200);
        }
        try (RawUpstream upstream = held(go);
                RunningGateway gateway = RunningGateway.start(config(upstream.url(), "{limit: 9}")
                        .replace("    priority: 100", "    concurrency: {limit: 1}\n    priority: 100"));
                RawClient holder = running(gateway, upstream)) {
            Answer answer = exchange(gateway.port(), messages(PLAIN));

            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.body()).contains("\"rate_limit_error\"");
            go.release(1);
            assertThat(holder.answer().status()).isEqualTo(200);
            gateway.awaitIdle();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"model":"chat","messages":[{}]}                                     | 400 | max_tokens
            {"model":"chat","max_tokens":"9","messages":[{}]}                    | 400 | max_tokens
            {"model":"chat","max_tokens":9,"messages":[]}                        | 400 | messages
            {"model":"chat","max_tokens":9,"messages":[{}],"system":7}           | 400 | system
            {"model":"none","max_tokens":9,"messages":[{}]}                      | 404 | none
            nonsense                                                             | 400 | JSON
            """)
    void refusalsHaveTheShapeOfTheApi(String body, int status, String names) throws IOException {
        try (RunningGateway gateway = RunningGateway.start(config("http://127.0.0.1:9", "{limit: 2}"))) {
            Answer answer = exchange(gateway.port(), messages(body));

            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.body())
                    .startsWith("{\"type\":\"error\",\"error\":{\"type\":\"")
                    .contains(names);
            gateway.awaitIdle();
        }
    }

    @Test
    void anUnknownPathBelowItIsToldInItsShape() throws IOException {
        try (RunningGateway gateway = RunningGateway.start(config("http://127.0.0.1:9", "{limit: 2}"))) {
            Answer answer = exchange(gateway.port(), messages("/v1/messages/none", PLAIN, ""));

            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.body()).contains("\"not_found_error\"");
        }
    }
}
