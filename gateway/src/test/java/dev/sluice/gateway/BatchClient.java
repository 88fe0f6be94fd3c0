package dev.sluice.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Uploads files and asks for batches as a client of the group research. */
final class BatchClient {
    static final String CHAT = "/v1/chat/completions";

    /** Says back what it was asked, over several lines. */
    static final RawUpstream.Script ECHO = call -> call.json(200, "{\n \"said\": \"" + said(call) + "\"}");

    private BatchClient() {}

    static String said(RawUpstream.Call call) {
        return call.body().replaceAll(".*\"content\":\"([^\"]*)\".*", "$1");
    }

    static List<String> ids(List<JsonNode> results) {
        return results.stream()
                .map(result -> result.path("custom_id").asString())
                .toList();
    }

    static List<String> range(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(i -> "r" + i).toList();
    }

    static Answer upload(int port, String key, String content, String fields) throws IOException {
        String body = fields + "--b0\r\ncontent-disposition: form-data; name=\"file\"; filename=\"in put.jsonl\"\r\n"
                + "content-type: application/jsonl\r\n\r\n" + content + "\r\n--b0--\r\n";
        return RawClient.exchange(
                port,
                "POST /v1/files HTTP/1.1\r\nhost: g\r\nauthorization: Bearer " + key
                        + "\r\ncontent-type: multipart/form-data; boundary=b0\r\ncontent-length: "
                        + body.getBytes(UTF_8).length + "\r\n\r\n" + body);
    }

    /** The id of a new file whose bytes are those of the content in a charset. */
    static String uploaded(RunningGateway gateway, String content, Charset charset) throws IOException {
        byte[] bytes = (field("purpose", "batch")
                        + "--b0\r\ncontent-disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n" + content
                        + "\r\n--b0--\r\n")
                .getBytes(charset);
        try (RawClient client = RawClient.connect(gateway.port())) {
            client.send("POST /v1/files HTTP/1.1\r\nhost: g\r\nauthorization: Bearer " + RunningGateway.KEY
                    + "\r\ncontent-type: multipart/form-data; boundary=b0\r\ncontent-length: " + bytes.length
                    + "\r\n\r\n");
            client.send(bytes);
            Answer answer = client.answer();
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            return json(answer).path("id").asString();
        }
    }

    static String field(String name, String value) {
        return "--b0\r\ncontent-disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
    }

    /** The id of a new file for a batch. */
    static String uploaded(RunningGateway gateway, String content) throws IOException {
        Answer answer = upload(gateway.port(), RunningGateway.KEY, content, field("purpose", "batch"));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return json(answer).path("id").asString();
    }

    static Answer call(RunningGateway gateway, String method, String path, String key) throws IOException {
        return call(gateway.port(), method, path, key);
    }

    static Answer get(int port, String path) throws IOException {
        return call(port, "GET", path, RunningGateway.KEY);
    }

    private static Answer call(int port, String method, String path, String key) throws IOException {
        return RawClient.exchange(
                port,
                method + " " + path + " HTTP/1.1\r\nhost: g\r\nauthorization: Bearer " + key
                        + "\r\ncontent-length: 0\r\n\r\n");
    }

    static Answer get(RunningGateway gateway, String path) throws IOException {
        return call(gateway, "GET", path, RunningGateway.KEY);
    }

    static String content(RunningGateway gateway, String file) throws IOException {
        Answer answer = get(gateway, "/v1/files/" + file + "/content");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    static Answer ask(RunningGateway gateway, String input, String more) throws IOException {
        return ask(gateway.port(), input, CHAT, more);
    }

    static Answer ask(RunningGateway gateway, String input, String endpoint, String more) throws IOException {
        return ask(gateway.port(), input, endpoint, more);
    }

    static Answer ask(int port, String input, String more) throws IOException {
        return ask(port, input, CHAT, more);
    }

    private static Answer ask(int port, String input, String endpoint, String more) throws IOException {
        return RawClient.exchange(
                port,
                RawClient.post(
                        "/v1/batches",
                        RunningGateway.KEY,
                        "{\"input_file_id\":\"" + input + "\",\"endpoint\":\"" + endpoint + "\"" + more + "}",
                        ""));
    }

    /** The id of a new batch. */
    static String asked(RunningGateway gateway, String input, String window) throws IOException {
        Answer answer = ask(gateway, input, ",\"completion_window\":\"" + window + "\"");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return json(answer).path("id").asString();
    }

    static JsonNode batch(RunningGateway gateway, String batch) throws IOException {
        Answer answer = get(gateway, "/v1/batches/" + batch);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return json(answer);
    }

    static JsonNode awaitBatch(RunningGateway gateway, String batch, String status) throws IOException {
        await("the batch is " + status).atMost(60, SECONDS).until(() -> status(gateway, batch), status::equals);
        return batch(gateway, batch);
    }

    static String status(RunningGateway gateway, String batch) throws IOException {
        return batch(gateway, batch).path("status").asString();
    }

    static JsonNode json(Answer answer) {
        return JsonMapper.shared().readTree(answer.body());
    }

    static List<JsonNode> jsonLines(String content) {
        return content.lines().map(line -> JsonMapper.shared().readTree(line)).toList();
    }

    static String line(String customId, String content) {
        return "{\"custom_id\":\"" + customId + "\",\"method\":\"POST\",\"url\":\"" + CHAT
                + "\",\"body\":{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"" + content
                + "\"}]}}\n";
    }

    /** So many requests, with ids from {@code r1} on. */
    static String lines(int count) {
        return String.join(
                "",
                IntStream.rangeClosed(1, count)
                        .mapToObj(i -> line("r" + i, "say " + i))
                        .toList());
    }
}
