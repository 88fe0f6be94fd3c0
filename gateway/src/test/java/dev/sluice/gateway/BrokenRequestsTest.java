package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Each broken request gets its own clear error with all four keys, reaches no upstream and leaves nothing behind. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BrokenRequestsTest {
    private static final String GOOD = "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";

    private RawUpstream upstream;
    private RunningGateway gateway;

    @BeforeAll
    void start() throws IOException {
        upstream = RawUpstream.start(call -> call.json(200, "{}"));
        gateway = RunningGateway.start(
                RunningGateway.oneProvider(upstream.url(), 2, "{limit: 2}") + """
                http: {max-body: 64KiB, max-header-size: 4KiB}
                """, RunningGateway.SHORT);
    }

    @AfterAll
    void stop() throws IOException {
        gateway.close();
        upstream.close();
    }

    static Stream<Arguments> broken() {
        return Stream.of(
                body("not JSON", "hello", "invalid_request", null),
                body("an empty body", "", "invalid_request", null),
                body("a cut object", "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\"", "invalid_request", null),
                body("an array", "[1,2]", "invalid_request", null),
                body("bytes after the object", GOOD + "x", "invalid_request", null),
                body("two objects", GOOD + GOOD, "invalid_request", null),
                body("no model", "{\"messages\":[{}]}", "invalid_request", "model"),
                body("a model that is a number", "{\"model\":7,\"messages\":[{}]}", "invalid_request", "model"),
                body("a model that is null", "{\"model\":null,\"messages\":[{}]}", "invalid_request", "model"),
                body("an empty model", "{\"model\":\"\",\"messages\":[{}]}", "invalid_request", "model"),
                body(
                        "the model twice",
                        GOOD.replace("{\"model", "{\"model\":\"other\",\"model"),
                        "invalid_request",
                        "model"),
                body(
                        "an unknown field twice",
                        GOOD.replace("{\"model", "{\"x\":1,\"x\":1,\"model"),
                        "invalid_request",
                        "x"),
                body("no messages", "{\"model\":\"chat\"}", "invalid_request", "messages"),
                body(
                        "messages that are a string",
                        "{\"model\":\"chat\",\"messages\":\"hi\"}",
                        "invalid_request",
                        "messages"),
                body("no message", "{\"model\":\"chat\",\"messages\":[]}", "invalid_request", "messages"),
                body(
                        "a message that is a string",
                        "{\"model\":\"chat\",\"messages\":[\"hi\"]}",
                        "invalid_request",
                        "messages"),
                body("stream that is a string", with("\"stream\":\"yes\""), "invalid_request", "stream"),
                body("max_tokens that is a string", with("\"max_tokens\":\"9\""), "invalid_request", "max_tokens"),
                body("max_tokens that is a fraction", with("\"max_tokens\":1.5"), "invalid_request", "max_tokens"),
                body("temperature that is a string", with("\"temperature\":\"hot\""), "invalid_request", "temperature"),
                body("stop that is a number", with("\"stop\":1"), "invalid_request", "stop"),
                body("tools that are an object", with("\"tools\":{}"), "invalid_request", "tools"),
                body(
                        "stream_options that are an array",
                        with("\"stream_options\":[]"),
                        "invalid_request",
                        "stream_options"),
                body(
                        "fields without an end",
                        with(IntStream.range(0, 1_000)
                                .mapToObj(i -> "\"x" + i + "\":1")
                                .collect(Collectors.joining(","))),
                        "invalid_request",
                        null),
                body("nesting without an end", with("\"x\":" + "[".repeat(2_000)), "invalid_request", null),
                body("a number without an end", with("\"x\":" + "1".repeat(5_000)), "invalid_request", null),
                bytes("UTF-16", GOOD.getBytes(StandardCharsets.UTF_16LE)),
                bytes("a byte order mark", ("\ufeff" + GOOD).getBytes(StandardCharsets.UTF_8)),
                bytes("bytes that are not UTF-8", GOOD.replace("hi", "\u00e9").getBytes(StandardCharsets.ISO_8859_1)),
                Arguments.of("an unknown model", chat(GOOD.replace("chat", "nope")), 404, "model_not_found", "model"),
                Arguments.of(
                        "a model of another group",
                        chat(RunningGateway.OTHER_KEY, GOOD, ""),
                        403,
                        "model_not_allowed",
                        "model"),
                Arguments.of("an unknown key", chat("sk-wrong", GOOD, ""), 401, "invalid_api_key", null),
                Arguments.of(
                        "no key", chat(GOOD).replaceFirst("authorization.*\r\n", ""), 401, "invalid_api_key", null),
                Arguments.of("an empty key", chat("", GOOD, ""), 401, "invalid_api_key", null),
                Arguments.of(
                        "a body that is too large",
                        chat(with("\"x\":\"" + "y".repeat(70_000) + "\"")),
                        413,
                        "request_too_large",
                        null),
                Arguments.of(
                        "a chunked body that is too large",
                        chunked("y".repeat(70_000)),
                        413,
                        "request_too_large",
                        null),
                Arguments.of(
                        "a form",
                        chat(GOOD).replace("application/json", "application/x-www-form-urlencoded"),
                        415,
                        "unsupported_media_type",
                        "content-type"),
                Arguments.of(
                        "no content type",
                        chat(GOOD).replaceFirst("content-type.*\r\n", ""),
                        415,
                        "unsupported_media_type",
                        "content-type"),
                Arguments.of(
                        "a compressed body",
                        header("content-encoding: gzip"),
                        415,
                        "unsupported_media_type",
                        "content-encoding"),
                Arguments.of(
                        "headers that are too large",
                        header("x-large: " + "y".repeat(5_000)),
                        431,
                        "headers_too_large",
                        null),
                Arguments.of(
                        "a line that is too long",
                        "GET /" + "y".repeat(9_000) + " HTTP/1.1\r\nhost: g\r\n\r\n",
                        431,
                        "headers_too_large",
                        null),
                Arguments.of(
                        "a priority that is a word",
                        header("x-sluice-priority: high"),
                        400,
                        "invalid_header",
                        "x-sluice-priority"),
                Arguments.of(
                        "a negative priority",
                        header("x-sluice-priority: -1"),
                        400,
                        "invalid_header",
                        "x-sluice-priority"),
                Arguments.of(
                        "a wait with a unit",
                        header("x-sluice-max-wait: 5s"),
                        400,
                        "invalid_header",
                        "x-sluice-max-wait"),
                Arguments.of(
                        "an endless wait",
                        header("x-sluice-max-wait: 99999999999"),
                        400,
                        "invalid_header",
                        "x-sluice-max-wait"),
                Arguments.of(
                        "an idempotency key with a space",
                        header("idempotency-key: a b"),
                        400,
                        "invalid_header",
                        "idempotency-key"),
                Arguments.of(
                        "a long idempotency key",
                        header("idempotency-key: " + "k".repeat(256)),
                        400,
                        "invalid_header",
                        "idempotency-key"),
                Arguments.of(
                        "an asynchronous request", header("prefer: respond-async"), 400, "invalid_header", "prefer"),
                Arguments.of("an unknown expectation", header("expect: wonders"), 400, "invalid_header", "expect"),
                Arguments.of(
                        "a wrong method",
                        "GET /v1/chat/completions HTTP/1.1\r\nhost: g\r\n\r\n",
                        405,
                        "method_not_allowed",
                        null),
                Arguments.of("an unknown path", "GET /v2/chat HTTP/1.1\r\nhost: g\r\n\r\n", 404, "not_found", null),
                Arguments.of(
                        "a path that climbs",
                        "GET /v1/models/../../admin HTTP/1.1\r\nhost: g\r\nx-api-key: " + RunningGateway.KEY
                                + "\r\n\r\n",
                        404,
                        "model_not_found",
                        "model"),
                Arguments.of(
                        "a post to the models",
                        "POST /v1/models HTTP/1.1\r\nhost: g\r\ncontent-length: 0\r\n\r\n",
                        405,
                        "method_not_allowed",
                        null),
                Arguments.of("what is not HTTP", "\u0001\u0002 nonsense\r\n\r\n", 400, "invalid_request", null),
                Arguments.of(
                        "a header without a colon",
                        "GET /livez HTTP/1.1\r\nhost g\r\n\r\n",
                        400,
                        "invalid_request",
                        null),
                Arguments.of(
                        "two lengths",
                        chat(RunningGateway.KEY, GOOD, "content-length: 3\r\n"),
                        400,
                        "invalid_request",
                        null),
                Arguments.of(
                        "a length that is a word",
                        chat(GOOD).replaceFirst("content-length: \\d+", "content-length: ten"),
                        400,
                        "invalid_request",
                        null),
                Arguments.of("a chunk without a size", rawChunks("zz\r\n"), 400, "invalid_request", null),
                Arguments.of("a chunk of a negative size", rawChunks("-1\r\n"), 400, "invalid_request", null),
                Arguments.of(
                        "a chunk that is longer than its size", rawChunks("1\r\n{}}"), 400, "invalid_request", null),
                Arguments.of(
                        "a chunk extension without an end",
                        rawChunks("1;" + "y".repeat(70_000)),
                        400,
                        "invalid_request",
                        null),
                Arguments.of(
                        "both kinds of length",
                        chat(RunningGateway.KEY, GOOD, "transfer-encoding: chunked\r\n"),
                        400,
                        "invalid_request",
                        null),
                Arguments.of(
                        "two hosts", chat(RunningGateway.KEY, GOOD, "Host: other\r\n"), 400, "invalid_header", "host"),
                Arguments.of(
                        "two hosts where no body is",
                        "GET /livez HTTP/1.1\r\nhost: g\r\nhost: g\r\n\r\n",
                        400,
                        "invalid_header",
                        "host"),
                coded("gzip, chunked", "invalid_header", "transfer-encoding"),
                coded("chunked, chunked", "invalid_request", null),
                coded("chunked\r\ntransfer-encoding: chunked", "invalid_request", null),
                coded("gzip", "invalid_request", null),
                coded("identity", "invalid_request", null),
                coded("xchunked", "invalid_request", null),
                Arguments.of(
                        "another version of HTTP",
                        "GET /livez HTTP/2.0\r\nhost: g\r\n\r\n",
                        400,
                        "invalid_request",
                        null),
                Arguments.of(
                        "a long field twice",
                        chat(with("\"KEY\":1,\"KEY\":2".replace("KEY", "k".repeat(20_000)))),
                        400,
                        "invalid_request",
                        "k".repeat(100) + "…"),
                Arguments.of("a body that never comes", chat(GOOD).replace(GOOD, ""), 408, "request_timeout", null));
    }

    private static Arguments body(String what, String body, String code, String param) {
        return Arguments.of(what, chat(body), 400, code, param);
    }

    private static Arguments coded(String coding, String code, String param) {
        return Arguments.of(
                "the transfer coding " + coding,
                chunked(GOOD).replace("transfer-encoding: chunked\r\n", "transfer-encoding: " + coding + "\r\n"),
                400,
                code,
                param);
    }

    private static Arguments bytes(String what, byte[] body) {
        String head = chat("").replace("content-length: 0", "content-length: " + body.length);
        byte[] prefix = head.getBytes(StandardCharsets.ISO_8859_1);
        byte[] whole = Arrays.copyOf(prefix, prefix.length + body.length);
        System.arraycopy(body, 0, whole, prefix.length, body.length);
        return Arguments.of(what, whole, 400, "invalid_request", null);
    }

    private static String with(String field) {
        return GOOD.replace("}]}", "}]," + field + "}");
    }

    private static String header(String line) {
        return chat(RunningGateway.KEY, GOOD, line + "\r\n");
    }

    private static String chunked(String body) {
        return rawChunks(Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n");
    }

    private static String rawChunks(String chunks) {
        return chat("").replace("content-length: 0", "transfer-encoding: chunked") + chunks;
    }

    @ParameterizedTest(name = "{0}: {2} {3}")
    @MethodSource("broken")
    void getsItsClearError(String what, Object request, int status, String code, String param) throws IOException {
        Answer answer;
        try (RawClient client = RawClient.connect(gateway.port())) {
            if (request instanceof byte[] bytes) {
                client.send(bytes);
            } else {
                client.send((String) request);
            }
            answer = client.answer();
        }

        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.header("content-type")).isEqualTo("application/json");
        JsonNode error = JsonMapper.shared().readTree(answer.body()).path("error");
        assertThat(error.propertyNames()).containsExactly("message", "type", "param", "code");
        assertThat(error.path("code").asString()).isEqualTo(code);
        assertThat(error.path("message").asString()).isNotBlank().doesNotContain(RunningGateway.KEY);
        assertThat(error.path("param").isNull() ? null : error.path("param").asString())
                .isEqualTo(param);
        assertThat(upstream.calls()).isEmpty();
        gateway.awaitIdle();
    }
}
