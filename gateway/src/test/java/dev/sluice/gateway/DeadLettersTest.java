package dev.sluice.gateway;

import static dev.sluice.gateway.TaskClient.awaitNothingHeld;
import static dev.sluice.gateway.TaskClient.awaitStatus;
import static dev.sluice.gateway.TaskClient.call;
import static dev.sluice.gateway.TaskClient.filed;
import static dev.sluice.gateway.TaskClient.json;
import static dev.sluice.gateway.TaskClient.operator;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@DisplayName("A task that failed for good")
final class DeadLettersTest extends OnDatabase {
    private static JsonNode listed(RunningGateway gateway, String query) throws IOException {
        Answer answer = operator(gateway, "GET", "/admin/dead-letters" + query, "");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return json(answer).path("dead_letters");
    }

    private static Answer retry(RunningGateway gateway, String id) throws IOException {
        return operator(gateway, "POST", "/admin/dead-letters/" + id + "/retry", "");
    }

    private static String code(Answer answer) {
        return json(answer).path("error").path("code").asString();
    }

    @Test
    void isListedWithItsReasonAndCanBeTriedAgainWhileItsRequestIsKept() throws Exception {
        AtomicInteger status = new AtomicInteger(503);
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(status.get(), "{}"));
                RunningGateway gateway = RunningGateway.startOn(
                        database,
                        RunningGateway.oneProvider(upstream.url(), 4, "{limit: 2, queue: 5}")
                                + "workers: {attempts: 1}\n")) {
            String task = filed(gateway);
            awaitStatus(gateway, task, "failed");
            String other = filed(gateway);
            awaitStatus(gateway, other, "failed");

            JsonNode letter = listed(gateway, "?group=research&limit=10").path(1);
            assertThat(letter.path("id").asString()).isEqualTo(task);
            assertThat(letter.path("kind").asString()).isEqualTo("task");
            assertThat(letter.path("model").asString()).isEqualTo("chat");
            assertThat(letter.path("code").asString()).isEqualTo("upstream_error");
            assertThat(letter.path("message").asString()).contains("503");
            assertThat(letter.path("status").asInt()).isEqualTo(503);
            assertThat(letter.path("attempts").asInt()).isEqualTo(1);
            assertThat(letter.path("retryable").asBoolean()).isTrue();
            assertThat(letter.toString()).doesNotContain("messages");
            assertThat(listed(gateway, "?limit=1")).hasSize(1);
            assertThat(listed(gateway, "?group=visitors")).isEmpty();

            status.set(200);
            assertThat(retry(gateway, task).status()).isEqualTo(200);
            JsonNode ended = awaitStatus(gateway, task, "succeeded");
            assertThat(ended.path("attempts").asInt()).isEqualTo(1);
            assertThat(ended.path("error").isNull()).isTrue();
            assertThat(listed(gateway, "")).hasSize(1);

            Answer again = retry(gateway, task);
            assertThat(again.status()).isEqualTo(409);
            assertThat(code(again)).isEqualTo("wrong_state");
            call(gateway, "DELETE", other, RunningGateway.KEY);
            Answer deleted = retry(gateway, other);
            assertThat(deleted.status()).isEqualTo(409);
            assertThat(code(deleted)).isEqualTo("request_not_kept");
            assertThat(listed(gateway, "").path(0).path("retryable").asBoolean())
                    .isFalse();
            assertThat(retry(gateway, UUID.randomUUID().toString()).status()).isEqualTo(404);
            assertThat(retry(gateway, "x").status()).isEqualTo(404);
            assertThat(operator(gateway, "GET", "/admin/dead-letters/" + task + "/retry", "")
                            .status())
                    .isEqualTo(405);
            assertThat(operator(gateway, "GET", "/admin/dead-letters?limit=0", "")
                            .status())
                    .isEqualTo(400);
            awaitNothingHeld(gateway, database);
        }
    }
}
