package dev.sluice.gateway;

import static dev.sluice.gateway.BatchClient.ask;
import static dev.sluice.gateway.BatchClient.awaitBatch;
import static dev.sluice.gateway.BatchClient.content;
import static dev.sluice.gateway.BatchClient.ids;
import static dev.sluice.gateway.BatchClient.json;
import static dev.sluice.gateway.BatchClient.jsonLines;
import static dev.sluice.gateway.BatchClient.uploaded;
import static dev.sluice.gateway.TaskClient.awaitNothingHeld;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@DisplayName("A batch of responses")
final class BatchedResponsesTest extends OnDatabase {
    private static final String ANSWER =
            "{\"id\":\"resp_up\",\"object\":\"response\",\"status\":\"completed\",\"output\":[]}";

    private static String line(String customId, String more) {
        return "{\"custom_id\":\"" + customId + "\",\"method\":\"POST\",\"url\":\"" + ResponsesClient.PATH
                + "\",\"body\":" + ResponsesClient.BODY.formatted(more) + "}\n";
    }

    private static String asked(RunningGateway gateway, String lines) throws IOException {
        Answer answer = ask(gateway, uploaded(gateway, lines), ResponsesClient.PATH, ",\"completion_window\":\"24h\"");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return json(answer).path("id").asString();
    }

    @Test
    void hasTheAnswersInItsOutputFileAndNowhereElse() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, ANSWER));
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 20}", "")) {
            String id = asked(gateway, line("a", "") + line("b", ",\"store\":false,\"background\":false"));

            JsonNode done = awaitBatch(gateway, id, "completed");

            List<JsonNode> results =
                    jsonLines(content(gateway, done.path("output_file_id").asString()));
            assertThat(ids(results)).containsExactly("a", "b");
            assertThat(results)
                    .extracting(result ->
                            result.path("response").path("body").path("id").asString())
                    .containsOnly("resp_up");
            assertThat(upstream.calls())
                    .allSatisfy(call -> assertThat(call.head()).startsWith("POST /v1/responses HTTP/1.1\r\n"))
                    .extracting(RawUpstream.Call::body)
                    .containsExactly(
                            "{\"store\":false,\"model\":\"served/name\",\"input\":\"hi\"}",
                            "{\"model\":\"served/name\",\"input\":\"hi\",\"store\":false,\"background\":false}");
            assertThat(ResponsesClient.call(gateway, "GET", "resp_up", RunningGateway.KEY)
                            .status())
                    .isEqualTo(404);
            awaitNothingHeld(gateway, database);
        }
    }

    @Test
    void refusesByNameWhatNeedsAnAnswerThatIsKept() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, ANSWER));
                RunningGateway gateway = gateway(upstream, "{limit: 4, queue: 20}", "")) {
            String id = asked(
                    gateway,
                    line("a", ",\"store\":true")
                            + line("b", ",\"background\":true")
                            + line("c", ",\"previous_response_id\":\"resp_x\"")
                            + line("d", ",\"conversation\":\"conv_x\"")
                            + line("e", ",\"stream\":true")
                            + line("f", ",\"max_output_tokens\":\"many\"")
                            + line("g", "").replace("\"hi\"", "[{\"type\":\"item_reference\",\"id\":\"msg_x\"}]"));

            JsonNode failed = awaitBatch(gateway, id, "failed");

            assertThat(failed.path("errors")
                            .path("data")
                            .valueStream()
                            .map(fault -> fault.path("line").asInt()
                                    + " " + fault.path("code").asString() + " "
                                    + fault.path("param").asString()))
                    .containsExactly(
                            "1 invalid_request body.store",
                            "2 invalid_request body.background",
                            "3 invalid_request body.previous_response_id",
                            "4 invalid_request body.conversation",
                            "5 invalid_request body.stream",
                            "6 invalid_request body.max_output_tokens",
                            "7 invalid_request body.input");
            assertThat(upstream.calls()).isEmpty();
        }
    }
}
