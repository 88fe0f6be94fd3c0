package dev.sluice.gateway;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Uses the Responses API as a client of the group research. */
final class ResponsesClient {
    static final String PATH = "/v1/responses";
    static final String BODY = "{\"model\":\"chat\",\"input\":\"hi\"%s}";

    private ResponsesClient() {}

    /** @param more further fields, each with a comma before it */
    static Answer create(RunningGateway gateway, String more) throws IOException {
        return RawClient.exchange(gateway.port(), request(BODY.formatted(more), ""));
    }

    static String request(String body, String headers) {
        return RawClient.post(PATH, RunningGateway.KEY, body, headers);
    }

    static Answer call(RunningGateway gateway, String method, String rest, String key) throws IOException {
        return RawClient.exchange(gateway.port(), line(method, rest, key));
    }

    static String line(String method, String rest, String key) {
        return method + " " + PATH + "/" + rest + " HTTP/1.1\r\nhost: g\r\nauthorization: Bearer " + key
                + "\r\ncontent-length: 0\r\n\r\n";
    }

    static JsonNode json(Answer answer) {
        return JsonMapper.shared().readTree(answer.body());
    }

    static JsonNode get(RunningGateway gateway, String rest) throws IOException {
        Answer answer = call(gateway, "GET", rest, RunningGateway.KEY);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return json(answer);
    }

    /** The id of a new response in the background. */
    static String background(RunningGateway gateway, String more) throws IOException {
        Answer answer = create(gateway, ",\"background\":true" + more);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(json(answer).path("status").asString()).isEqualTo("queued");
        return json(answer).path("id").asString();
    }

    static JsonNode awaitStatus(RunningGateway gateway, String id, String status) throws IOException {
        await("the response is " + status)
                .atMost(20, SECONDS)
                .until(() -> get(gateway, id).path("status").asString(), status::equals);
        return get(gateway, id);
    }

    /** The data of each event. */
    static List<JsonNode> events(String stream) {
        List<JsonNode> events = new ArrayList<>();
        for (String event : stream.split("\n\n")) {
            List<String> lines =
                    event.lines().filter(line -> !line.startsWith(":")).toList();
            if (lines.isEmpty()) {
                continue;
            }
            assertThat(lines).as(event).hasSize(2);
            JsonNode data = JsonMapper.shared().readTree(lines.get(1).substring("data: ".length()));
            assertThat(lines.getFirst()).isEqualTo("event: " + data.path("type").asString());
            events.add(data);
        }
        return events;
    }

    static List<String> types(List<JsonNode> events) {
        return events.stream().map(event -> event.path("type").asString()).toList();
    }

    static List<Integer> numbers(List<JsonNode> events) {
        return events.stream()
                .map(event -> event.path("sequence_number").asInt(-1))
                .toList();
    }

    /** An answer as a server of the API gives it. */
    static String answer(String id, String text) {
        return "{\"id\":\"" + id
                + "\",\"object\":\"response\",\"created_at\":1,\"status\":\"completed\",\"model\":\"up\","
                + "\"store\":false,\"previous_response_id\":null,\"temperature\":1.50,\"output\":[{\"id\":\"msg_1\","
                + "\"type\":\"message\",\"role\":\"assistant\",\"status\":\"completed\",\"content\":[{\"type\":"
                + "\"output_text\",\"text\":\"" + text + "\",\"annotations\":[]}]}]}";
    }

    /** One event of such a server. */
    static String event(String type, int number, String rest) {
        return "event: " + type + "\ndata: {\"type\":\"" + type + "\",\"sequence_number\":" + number + "," + rest
                + "}\n\n";
    }

    static String delta(int number, String text) {
        return event(
                "response.output_text.delta",
                number,
                "\"item_id\":\"msg_1\",\"output_index\":0,\"content_index\":0,\"delta\":\"" + text + "\"");
    }

    /** What a server streams, up to a latch, and then the rest. */
    static void stream(RawUpstream.Call call, CountDownLatch rest) throws IOException, InterruptedException {
        call.streamHead();
        call.chunk(event("response.created", 0, "\"response\":{\"id\":\"up\",\"status\":\"in_progress\"}"));
        call.chunk(event("response.in_progress", 1, "\"response\":{\"id\":\"up\",\"status\":\"in_progress\"}"));
        call.chunk(delta(2, "a") + delta(3, "b"));
        rest.await(30, SECONDS);
        call.chunk(delta(4, "c"));
        call.chunk(event("response.completed", 5, "\"response\":" + answer("up", "abc")));
        call.lastChunk();
    }
}
