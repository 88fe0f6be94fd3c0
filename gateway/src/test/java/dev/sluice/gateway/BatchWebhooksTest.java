package dev.sluice.gateway;

import static dev.sluice.gateway.BatchClient.CHAT;
import static dev.sluice.gateway.BatchClient.ECHO;
import static dev.sluice.gateway.BatchClient.awaitBatch;
import static dev.sluice.gateway.BatchClient.json;
import static dev.sluice.gateway.BatchClient.lines;
import static dev.sluice.gateway.BatchClient.uploaded;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("A batch whose request names a webhook")
final class BatchWebhooksTest extends OnDatabase {
    private RunningGateway gateway(RawUpstream upstream, RawUpstream receiver) {
        return RunningGateway.startOn(database, WebhooksTest.yaml(upstream, "{limit: 4, queue: 20}", receiver));
    }

    private static Answer ask(RunningGateway gateway, String input, String headers) throws IOException {
        String body = "{\"input_file_id\":\"" + input + "\",\"endpoint\":\"" + CHAT
                + "\",\"completion_window\":\"24h\",\"metadata\":{\"report\":\"17\"}}";
        return RawClient.exchange(gateway.port(), RawClient.post("/v1/batches", RunningGateway.KEY, body, headers));
    }

    private static JsonNode told(RawUpstream receiver, String batch) {
        await("the webhook hears of " + batch)
                .atMost(20, SECONDS)
                .until(() ->
                        receiver.calls().stream().anyMatch(call -> call.body().contains(batch)));
        return JsonMapper.shared()
                .readTree(receiver.calls().stream()
                        .filter(call -> call.body().contains(batch))
                        .findFirst()
                        .orElseThrow()
                        .body());
    }

    @Test
    void tellsItOfItsEndOnceAndOfNoLine() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(ECHO);
                RawUpstream receiver = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway = gateway(upstream, receiver)) {
            String done = json(ask(gateway, uploaded(gateway, lines(5)), WebhooksTest.HOOK))
                    .path("id")
                    .asString();
            JsonNode message = told(receiver, done);
            JsonNode shown = awaitBatch(gateway, done, "completed");

            assertThat(message.path("type").asString()).isEqualTo("batch.completed");
            JsonNode data = message.path("data");
            assertThat(data.propertyNames())
                    .containsExactly(
                            "id",
                            "status",
                            "group",
                            "endpoint",
                            "created_at",
                            "started_at",
                            "finished_at",
                            "request_counts",
                            "output_file_id",
                            "error_file_id",
                            "metadata");
            assertThat(data.path("status").asString()).isEqualTo("completed");
            assertThat(data.path("request_counts")).isEqualTo(shown.path("request_counts"));
            assertThat(data.path("output_file_id")).isEqualTo(shown.path("output_file_id"));
            assertThat(data.path("error_file_id").isNull()).isTrue();
            assertThat(data.path("metadata")).isEqualTo(shown.path("metadata"));

            String refused = json(ask(gateway, uploaded(gateway, "{not json\n"), WebhooksTest.HOOK))
                    .path("id")
                    .asString();
            assertThat(told(receiver, refused).path("type").asString()).isEqualTo("batch.failed");
            assertThat(receiver.calls()).hasSize(2);
        }
    }

    @Test
    void isRefusedIfTheGroupHasNoSuchWebhook() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(ECHO);
                RawUpstream receiver = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway = gateway(upstream, receiver)) {
            Answer answer = ask(gateway, uploaded(gateway, lines(1)), "x-sluice-webhook: nobody\r\n");

            assertThat(answer.status()).isEqualTo(400);
            assertThat(json(answer).path("error").path("code").asString()).isEqualTo("invalid_header");
            assertThat(json(answer).path("error").path("param").asString()).isEqualTo("x-sluice-webhook");
        }
    }
}
