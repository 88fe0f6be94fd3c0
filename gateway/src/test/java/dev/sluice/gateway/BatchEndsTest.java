package dev.sluice.gateway;

import static dev.sluice.gateway.BatchClient.ECHO;
import static dev.sluice.gateway.BatchClient.asked;
import static dev.sluice.gateway.BatchClient.awaitBatch;
import static dev.sluice.gateway.BatchClient.batch;
import static dev.sluice.gateway.BatchClient.call;
import static dev.sluice.gateway.BatchClient.content;
import static dev.sluice.gateway.BatchClient.ids;
import static dev.sluice.gateway.BatchClient.json;
import static dev.sluice.gateway.BatchClient.jsonLines;
import static dev.sluice.gateway.BatchClient.lines;
import static dev.sluice.gateway.BatchClient.range;
import static dev.sluice.gateway.BatchClient.said;
import static dev.sluice.gateway.BatchClient.uploaded;
import static dev.sluice.gateway.TaskClient.awaitNothingHeld;
import static dev.sluice.gateway.TaskClient.count;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import dev.sluice.gateway.RawUpstream.Script;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@DisplayName("A batch that ends before its lines")
final class BatchEndsTest extends OnDatabase {
    @Test
    void thatIsCancelledClosesItsUpstreamsAndKeepsWhatWasDone() throws Exception {
        Script script = call -> {
            if (List.of("say 1", "say 2").contains(said(call))) {
                ECHO.answer(call);
            } else {
                call.awaitClose();
            }
        };
        try (RawUpstream upstream = RawUpstream.start(script);
                RunningGateway gateway = gateway(upstream, "{limit: 2, queue: 6}", "");
                RunningGateway other = gateway(upstream, "{limit: 2, queue: 6}", "")) {
            String id = asked(gateway, uploaded(gateway, lines(40)), "24h");
            await("two are done and two run")
                    .atMost(20, SECONDS)
                    .until(() -> upstream.calls().size() == 4 && upstream.running() == 2);

            JsonNode cancelling = json(call(other, "POST", "/v1/batches/" + id + "/cancel", RunningGateway.KEY));

            assertThat(cancelling.path("status").asString()).isEqualTo("cancelling");
            await("the upstreams are closed").atMost(10, SECONDS).until(() -> upstream.running() == 0);
            JsonNode cancelled = awaitBatch(other, id, "cancelled");
            assertThat(cancelled.path("cancelled_at").asLong())
                    .isGreaterThanOrEqualTo(cancelled.path("cancelling_at").asLong());
            assertThat(ids(jsonLines(
                            content(gateway, cancelled.path("output_file_id").asString()))))
                    .containsExactly("r1", "r2");
            List<JsonNode> errors =
                    jsonLines(content(gateway, cancelled.path("error_file_id").asString()));
            assertThat(ids(errors)).isEqualTo(range(3, 40));
            assertThat(errors)
                    .allMatch(
                            error -> error.path("error").path("code").asString().equals("batch_cancelled")
                                    && error.path("response").isNull());
            Answer again = call(gateway, "POST", "/v1/batches/" + id + "/cancel", RunningGateway.KEY);
            assertThat(json(again).path("status").asString()).isEqualTo("cancelled");
            assertThat(upstream.calls()).hasSize(4);
            awaitNothingHeld(gateway, database);
        }
    }

    @Test
    void thatHasEndedCannotBeCancelled() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(ECHO);
                RunningGateway gateway = gateway(upstream, "{limit: 2, queue: 6}", "")) {
            String id = asked(gateway, uploaded(gateway, lines(1)), "24h");
            awaitBatch(gateway, id, "completed");

            Answer refused = call(gateway, "POST", "/v1/batches/" + id + "/cancel", RunningGateway.KEY);

            assertThat(refused.status()).isEqualTo(409);
            assertThat(json(refused).path("error").path("message").asString()).contains("completed");
            assertThat(batch(gateway, id).path("status").asString()).isEqualTo("completed");
        }
    }

    @Test
    void whoseTimeIsOverEndsWithWhatWasDoneAndNamesTheRest() throws Exception {
        Script script = call -> {
            if (said(call).equals("say 1")) {
                ECHO.answer(call);
            } else {
                call.awaitClose();
            }
        };
        try (RawUpstream upstream = RawUpstream.start(script);
                RunningGateway gateway = gateway(upstream, "{limit: 2, queue: 6}", "")) {
            JsonNode expired = awaitBatch(gateway, asked(gateway, uploaded(gateway, lines(20)), "3s"), "expired");

            assertThat(expired.path("expired_at").asLong())
                    .isGreaterThanOrEqualTo(expired.path("expires_at").asLong());
            assertThat(ids(jsonLines(
                            content(gateway, expired.path("output_file_id").asString()))))
                    .containsExactly("r1");
            List<JsonNode> errors =
                    jsonLines(content(gateway, expired.path("error_file_id").asString()));
            assertThat(ids(errors)).isEqualTo(range(2, 20));
            assertThat(errors)
                    .allMatch(
                            error -> error.path("error").path("code").asString().equals("batch_expired"));
            await("the upstreams are closed").atMost(10, SECONDS).until(() -> upstream.running() == 0);
            awaitNothingHeld(gateway, database);
        }
    }

    @Test
    void waitsForItsWindowAloneAndNotForTheTimeOfOtherTasks() throws Exception {
        AtomicInteger turn = new AtomicInteger();
        Script script = call -> {
            if (turn.getAndIncrement() == 0) {
                await().atMost(20, SECONDS).until(() -> turn.get() < 0);
            }
            ECHO.answer(call);
        };
        try (RawUpstream upstream = RawUpstream.start(script);
                RunningGateway gateway =
                        gateway(upstream, "{limit: 1, queue: 6}", "queueing: {async-max-wait: 500ms}\n")) {
            String id = asked(gateway, uploaded(gateway, lines(3)), "24h");
            await("a line left the queue by time")
                    .atMost(20, SECONDS)
                    .until(() -> count(database, "task where retry_at is not null") > 0);

            turn.set(-100);

            assertThat(awaitBatch(gateway, id, "completed")
                            .path("request_counts")
                            .path("completed")
                            .asInt())
                    .isEqualTo(3);
        }
    }

    @Test
    void readsAFileThatThenCannotBeDeleted() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = gateway(upstream, "{limit: 1, queue: 20}", "")) {
            String input = uploaded(gateway, lines(3));
            String id = asked(gateway, input, "24h");
            awaitBatch(gateway, id, "in_progress");

            Answer refused = call(gateway, "DELETE", "/v1/files/" + input, RunningGateway.KEY);

            assertThat(refused.status()).isEqualTo(409);
            assertThat(json(refused).path("error").path("code").asString()).isEqualTo("wrong_state");
            call(gateway, "POST", "/v1/batches/" + id + "/cancel", RunningGateway.KEY);
            awaitBatch(gateway, id, "cancelled");
            assertThat(call(gateway, "DELETE", "/v1/files/" + input, RunningGateway.KEY)
                            .status())
                    .isEqualTo(200);
        }
    }
}
