package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.exchange;
import static dev.sluice.gateway.ResponsesClient.answer;
import static dev.sluice.gateway.ResponsesClient.awaitStatus;
import static dev.sluice.gateway.ResponsesClient.background;
import static dev.sluice.gateway.ResponsesClient.call;
import static dev.sluice.gateway.ResponsesClient.create;
import static dev.sluice.gateway.ResponsesClient.events;
import static dev.sluice.gateway.ResponsesClient.get;
import static dev.sluice.gateway.ResponsesClient.json;
import static dev.sluice.gateway.ResponsesClient.line;
import static dev.sluice.gateway.ResponsesClient.request;
import static dev.sluice.gateway.ResponsesClient.types;
import static dev.sluice.gateway.TaskClient.awaitNothingHeld;
import static dev.sluice.gateway.TaskClient.count;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@DisplayName("A response in the background")
final class BackgroundResponsesTest extends OnDatabase {
    private static final String STREAMED = ",\"stream\":true";

    private RunningGateway gateway(RawUpstream upstream, String more) {
        return gateway(upstream, "{limit: 1, queue: 5}", more);
    }

    @Test
    void isAnsweredAtOnceAndMadeLaterUnderTheIdItWasGiven() throws Exception {
        var go = new CountDownLatch(1);
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    go.await(30, SECONDS);
                    call.json(200, answer("up", "done"));
                });
                RunningGateway gateway = gateway(upstream, "");
                RunningGateway other = gateway(upstream, "")) {
            Answer answer = create(gateway, ",\"background\":true,\"metadata\":{\"a\":\"b\"},\"instructions\":\"be\"");

            JsonNode queued = json(answer);
            String id = queued.path("id").asString();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(id).isEqualTo("resp_" + answer.header("x-request-id").replace("-", ""));
            assertThat(queued.path("status").asString()).isEqualTo("queued");
            assertThat(queued.path("background").asBoolean()).isTrue();
            assertThat(queued.path("metadata").path("a").asString()).isEqualTo("b");
            assertThat(queued.path("instructions").asString()).isEqualTo("be");
            assertThat(queued.path("output")).isEmpty();
            awaitStatus(other, id, "in_progress");
            assertThat(create(gateway, ",\"previous_response_id\":\"" + id + "\"")
                            .body())
                    .contains("in_progress", "\"param\":\"previous_response_id\"");
            go.countDown();

            JsonNode made = awaitStatus(other, id, "completed");

            assertThat(made.path("id").asString()).isEqualTo(id);
            assertThat(made.path("model").asString()).isEqualTo("chat");
            assertThat(made.path("created_at").asLong())
                    .isEqualTo(queued.path("created_at").asLong());
            assertThat(made.path("output")
                            .get(0)
                            .path("content")
                            .get(0)
                            .path("text")
                            .asString())
                    .isEqualTo("done");
            assertThat(upstream.calls().getFirst().body())
                    .contains("\"background\":false", "\"store\":false", "served/name");
            assertThat(get(gateway, id + "/input_items").path("data")).hasSize(1);
            assertThat(json(TaskClient.call(gateway, "GET", answer.header("x-request-id"), RunningGateway.KEY))
                            .path("response")
                            .path("id")
                            .asString())
                    .isEqualTo(id);
            assertThat(call(gateway, "GET", id, RunningGateway.OTHER_KEY).status())
                    .isEqualTo(404);
            assertThat(create(gateway, ",\"previous_response_id\":\"" + id + "\"")
                            .status())
                    .isEqualTo(200);
            assertThat(upstream.calls().getLast().body()).contains("\"text\":\"done\"");
            assertThat(call(gateway, "GET", id + "?stream=true", RunningGateway.KEY)
                            .body())
                    .contains("\"param\":\"stream\"");
            awaitNothingHeld(gateway, database);
        }
    }

    @Test
    void thatIsPreferredByAHeaderIsATaskAndAResponse() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, answer("up", "done")));
                RunningGateway gateway = gateway(upstream, "")) {
            Answer kept = exchange(
                    gateway.port(), request("{\"model\":\"chat\",\"input\":\"hi\",\"stream\":true}", TaskClient.ASYNC));
            Answer notKept = exchange(
                    gateway.port(), request("{\"model\":\"chat\",\"input\":\"hi\",\"store\":false}", TaskClient.ASYNC));

            assertThat(kept.status()).isEqualTo(202);
            String task = json(kept).path("id").asString();
            JsonNode made = TaskClient.awaitStatus(gateway, task, "succeeded").path("response");
            assertThat(made.path("id").asString()).isEqualTo("resp_" + task.replace("-", ""));
            assertThat(get(gateway, made.path("id").asString()).path("status").asString())
                    .isEqualTo("completed");
            String plain = json(notKept).path("id").asString();
            assertThat(TaskClient.awaitStatus(gateway, plain, "succeeded")
                            .path("response")
                            .path("id")
                            .asString())
                    .isEqualTo("up");
            assertThat(call(gateway, "GET", "resp_" + plain.replace("-", ""), RunningGateway.KEY)
                            .status())
                    .isEqualTo(404);
        }
    }

    @Test
    void isCancelledInEachStateAndItsUpstreamClosed() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = gateway(upstream, "");
                RunningGateway other = gateway(upstream, "");
                RawClient client = RawClient.connect(gateway.port())) {
            client.send(request("{\"model\":\"chat\",\"input\":\"hi\",\"background\":true,\"stream\":true}", ""));
            client.head();
            String running = events(client.chunk())
                    .getFirst()
                    .path("response")
                    .path("id")
                    .asString();
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);
            String queued = background(gateway, "");

            for (String id : List.of(queued, running, running)) {
                assertThat(call(other, "POST", id + "/cancel", RunningGateway.OTHER_KEY)
                                .status())
                        .isEqualTo(404);
                Answer cancelled = call(other, "POST", id + "/cancel", RunningGateway.KEY);
                assertThat(cancelled.status()).isEqualTo(200);
                assertThat(json(cancelled).path("status").asString()).isEqualTo("cancelled");
            }

            await("the upstream is closed").atMost(10, SECONDS).until(() -> upstream.running() == 0);
            StringBuilder rest = new StringBuilder();
            for (String chunk = client.chunk(); !chunk.isEmpty(); chunk = client.chunk()) {
                rest.append(chunk);
            }
            JsonNode last = events(rest.toString()).getLast();
            assertThat(last.path("type").asString()).isEqualTo("response.failed");
            assertThat(last.path("response").path("status").asString()).isEqualTo("cancelled");
            awaitNothingHeld(gateway, database);
        }
    }

    @Test
    void leavesNothingBehindWhenItIsDeleted() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> ResponsesClient.stream(call, new CountDownLatch(0)));
                RunningGateway gateway = gateway(upstream, "")) {
            List<JsonNode> events =
                    events(create(gateway, ",\"background\":true" + STREAMED).body());
            String id = events.getFirst().path("response").path("id").asString();
            assertThat(count(database, "response_event")).isPositive();

            JsonNode deleted = json(call(gateway, "DELETE", id, RunningGateway.KEY));

            assertThat(deleted.path("id").asString()).isEqualTo(id);
            assertThat(deleted.path("object").asString()).isEqualTo("response");
            assertThat(deleted.path("deleted").asBoolean()).isTrue();
            assertThat(call(gateway, "GET", id, RunningGateway.KEY).status()).isEqualTo(404);
            assertThat(count(database, "response")).isZero();
            assertThat(count(database, "response_event")).isZero();
            assertThat(count(database, "task where request is null and response is null and purged"))
                    .isEqualTo(1);
        }
    }

    @Test
    void isStoppedWhenItIsDeletedWhileItIsMade() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = gateway(upstream, "")) {
            String id = background(gateway, "");
            await().atMost(10, SECONDS).until(() -> upstream.running() == 1);

            assertThat(call(gateway, "DELETE", id, RunningGateway.KEY).status()).isEqualTo(200);

            await("the upstream is closed").atMost(10, SECONDS).until(() -> upstream.running() == 0);
            assertThat(count(database, "response")).isZero();
            awaitNothingHeld(gateway, database);
        }
    }

    @Test
    void isGoneWithItsTask() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> ResponsesClient.stream(call, new CountDownLatch(0)));
                RunningGateway gateway = gateway(upstream, "workers: {retention: 2s}\n")) {
            List<JsonNode> events =
                    events(create(gateway, ",\"background\":true" + STREAMED).body());
            assertThat(types(events)).endsWith("response.completed");

            await().atMost(20, SECONDS)
                    .until(() -> count(database, "response") + count(database, "response_event") == 0);
        }
    }

    /** Clients ask again until a response has ended. */
    @ParameterizedTest
    @CsvSource({
        "200, completed, completed",
        "200, '', completed",
        "201, completed, completed",
        "200, in_progress, failed"
    })
    void endsWhateverItsUpstreamSaysOfItsEnd(int upstreamStatus, String said, String shown) throws Exception {
        String answer = answer("up", "done").replace("\"status\":\"completed\",\"model\"", "\"model\"");
        String saying = said.isEmpty()
                ? answer
                : answer.replace("{\"id\":\"up\"", "{\"status\":\"" + said + "\",\"id\":\"up\"");
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(upstreamStatus, saying));
                RunningGateway gateway = gateway(upstream, "")) {
            String id = background(gateway, "");

            JsonNode ended = awaitStatus(gateway, id, shown);

            assertThat(ended.path("id").asString()).isEqualTo(id);
            if (shown.equals("failed")) {
                assertThat(ended.path("error").path("code").asString()).isEqualTo("upstream_error");
            }
        }
    }

    @Test
    void thatIsStreamedEndsAsItsLastEventSays() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    call.streamHead();
                    call.chunk(ResponsesClient.event(
                            "response.completed", 0, "\"response\":{\"id\":\"up\",\"output\":[]}"));
                    call.lastChunk();
                });
                RunningGateway gateway = gateway(upstream, "")) {
            List<JsonNode> events =
                    events(create(gateway, ",\"background\":true" + STREAMED).body());

            assertThat(types(events).getLast()).isEqualTo("response.completed");
            assertThat(events.getLast().path("response").path("status").asString())
                    .isEqualTo("completed");
        }
    }

    @Test
    void failsWithTheUpstreamsWords() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(
                        call -> call.json(400, "{\"error\":{\"message\":\"too hot\",\"code\":\"x\"}}"));
                RunningGateway gateway = gateway(upstream, "")) {
            JsonNode failed = awaitStatus(gateway, background(gateway, ""), "failed");
            List<JsonNode> events =
                    events(create(gateway, ",\"background\":true" + STREAMED).body());

            for (JsonNode response : List.of(failed, events.getLast().path("response"))) {
                assertThat(response.path("error").path("code").asString()).isEqualTo("x");
                assertThat(response.path("error").path("message").asString()).isEqualTo("too hot");
            }
            assertThat(types(events))
                    .containsExactly("response.created", "response.queued", "response.in_progress", "response.failed");
        }
    }

    @Test
    void isFoundAgainByItsIdempotencyKey() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, answer("up", "done")));
                RunningGateway gateway = gateway(upstream, "")) {
            String body = "{\"model\":\"chat\",\"input\":\"hi\",\"background\":true}";
            String first = json(exchange(gateway.port(), request(body, "idempotency-key: k\r\n")))
                    .path("id")
                    .asString();
            awaitStatus(gateway, first, "completed");

            JsonNode again = json(exchange(gateway.port(), request(body, "idempotency-key: k\r\n")));
            Answer other = exchange(gateway.port(), request(body.replace("hi", "ho"), "idempotency-key: k\r\n"));

            assertThat(again.path("id").asString()).isEqualTo(first);
            assertThat(again.path("status").asString()).isEqualTo("completed");
            assertThat(other.status()).isEqualTo(422);
            assertThat(upstream.calls()).hasSize(1);
            assertThat(count(database, "response")).isEqualTo(1);
        }
    }

    @Test
    void isRefusedWhenTheQueueIsFullAndLeavesNothing() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway =
                        RunningGateway.startOn(database, RunningGateway.oneProvider(upstream.url(), 4, "{limit: 1}"))) {
            background(gateway, "");

            Answer refused = create(gateway, ",\"background\":true" + STREAMED);

            assertThat(refused.status()).isEqualTo(429);
            assertThat(count(database, "response")).isEqualTo(1);
            assertThat(exchange(gateway.port(), line("GET", "resp_x?stream=true", RunningGateway.KEY))
                            .status())
                    .isEqualTo(404);
        }
    }
}
