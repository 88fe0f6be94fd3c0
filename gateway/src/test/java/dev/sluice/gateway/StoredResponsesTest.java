package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.exchange;
import static dev.sluice.gateway.ResponsesClient.answer;
import static dev.sluice.gateway.ResponsesClient.call;
import static dev.sluice.gateway.ResponsesClient.create;
import static dev.sluice.gateway.ResponsesClient.delta;
import static dev.sluice.gateway.ResponsesClient.event;
import static dev.sluice.gateway.ResponsesClient.get;
import static dev.sluice.gateway.ResponsesClient.json;
import static dev.sluice.gateway.ResponsesClient.request;
import static dev.sluice.gateway.TaskClient.count;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@DisplayName("A response that is kept")
final class StoredResponsesTest extends OnDatabase {
    private RunningGateway gateway(RawUpstream upstream, String more) {
        return gateway(upstream, "{limit: 4, queue: 5}", more);
    }

    private static RawUpstream numbered() throws IOException {
        AtomicInteger turn = new AtomicInteger();
        return RawUpstream.start(call -> {
            int number = turn.incrementAndGet();
            call.json(200, answer("resp_" + number, "text " + number));
        });
    }

    @Test
    void isThereForItsGroupAtEveryGatewayWithItsInput() throws IOException {
        try (RawUpstream upstream = numbered();
                RunningGateway gateway = gateway(upstream, "");
                RunningGateway other = gateway(upstream, "")) {
            Answer made = create(gateway, "");

            assertThat(made.body()).isEqualTo(answer("resp_1", "text 1"));
            Answer kept = call(other, "GET", "resp_1", RunningGateway.KEY);
            assertThat(kept.body()).contains("\"temperature\":1.50", "\"store\":true", "text 1");
            JsonNode items = get(other, "resp_1/input_items");
            assertThat(items.path("object").asString()).isEqualTo("list");
            assertThat(items.path("data")
                            .get(0)
                            .path("content")
                            .get(0)
                            .path("text")
                            .asString())
                    .isEqualTo("hi");
            assertThat(items.path("has_more").asBoolean()).isFalse();
            for (String rest : List.of("resp_1", "resp_1/input_items", "resp_2", "resp_1%00")) {
                assertThat(call(gateway, "GET", rest, RunningGateway.OTHER_KEY).status())
                        .isEqualTo(404);
            }
            assertThat(call(gateway, "DELETE", "resp_1", RunningGateway.OTHER_KEY)
                            .status())
                    .isEqualTo(404);
            assertThat(call(gateway, "GET", "resp_1", "sk-nobody").status()).isEqualTo(401);
            assertThat(call(gateway, "PUT", "resp_1", RunningGateway.KEY).status())
                    .isEqualTo(405);
            assertThat(call(gateway, "GET", "resp_1/x", RunningGateway.KEY).status())
                    .isEqualTo(404);
        }
    }

    @Test
    void isThereAsSoonAsItsStreamHasEndedEvenIfTheUpstreamGoesOnTalking() throws Exception {
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    call.streamHead();
                    call.chunk(event("response.created", 0, "\"response\":{\"id\":\"resp_s\"}"));
                    call.chunk(delta(1, "a"));
                    call.chunk(event("response.completed", 2, "\"response\":" + answer("resp_s", "a")));
                    call.awaitClose();
                });
                RunningGateway gateway = gateway(upstream, "");
                RawClient client = RawClient.connect(gateway.port())) {
            client.send(request("{\"model\":\"chat\",\"input\":\"hi\",\"stream\":true}", ""));
            assertThat(client.head().status()).isEqualTo(200);
            StringBuilder seen = new StringBuilder();
            while (!seen.toString().contains("response.completed")) {
                seen.append(client.chunk());
            }

            assertThat(get(gateway, "resp_s").path("status").asString()).isEqualTo("completed");
            assertThat(gateway.gateway().bufferedBytes())
                    .as("the input is in memory until the answer has ended, and counts")
                    .isPositive();
        }
    }

    @Test
    void isGoneOnFromByTheItemsOfAllBeforeIt() throws IOException {
        try (RawUpstream upstream = numbered();
                RunningGateway gateway = gateway(upstream, "");
                RunningGateway other = gateway(upstream, "")) {
            create(gateway, "");
            exchange(
                    other.port(),
                    request(
                            "{\"input\":[ {\"role\":\"user\",\"content\":\"and\"} ],\"previous_response_id\" : \"resp_1\","
                                    + "\"model\":\"chat\"}",
                            ""));
            create(gateway, ",\"previous_response_id\":\"resp_2\"");

            String output = "{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"status\":\"completed\","
                    + "\"content\":[{\"type\":\"output_text\",\"text\":\"text %d\",\"annotations\":[]}]}";
            String hi =
                    "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"hi\"}]}";
            String two = "[" + hi + "," + output.formatted(1) + ", {\"role\":\"user\",\"content\":\"and\"} ";
            assertThat(upstream.calls().get(1).body())
                    .isEqualTo("{\"store\":false,\"input\":" + two + "],\"previous_response_id\" : null,"
                            + "\"model\":\"served/name\"}");
            assertThat(upstream.calls().get(2).body())
                    .isEqualTo("{\"store\":false,\"model\":\"served/name\",\"input\":" + two + "," + output.formatted(2)
                            + "," + hi + "],\"previous_response_id\":null}");
            assertThat(get(gateway, "resp_3").path("previous_response_id").asString())
                    .isEqualTo("resp_2");
            assertThat(get(gateway, "resp_3/input_items?limit=2&order=asc")
                            .path("data")
                            .get(1)
                            .path("id")
                            .asString())
                    .isEqualTo("msg_1");
            JsonNode rest = get(gateway, "resp_3/input_items?order=asc&limit=100&after=item_3_2");
            assertThat(rest.path("data")).hasSize(2);
            Answer unknown = call(gateway, "GET", "resp_3/input_items?after=item_3_99", RunningGateway.KEY);
            assertThat(unknown.status()).as(unknown.body()).isEqualTo(400);
            assertThat(json(unknown).path("error").path("param").asString()).isEqualTo("after");
            assertThat(get(gateway, "resp_3/input_items?limit=1")
                            .path("has_more")
                            .asBoolean())
                    .isTrue();
        }
    }

    @Test
    void needsItsPredecessorAndThatOneNoOther() throws IOException {
        try (RawUpstream upstream = numbered();
                RunningGateway gateway = gateway(upstream, "")) {
            create(gateway, "");
            create(gateway, ",\"previous_response_id\":\"resp_1\"");
            assertThat(json(call(gateway, "DELETE", "resp_1", RunningGateway.KEY))
                            .path("deleted")
                            .asBoolean())
                    .isTrue();

            Answer unknown = create(gateway, ",\"previous_response_id\":\"resp_1\"");
            Answer known = create(gateway, ",\"previous_response_id\":\"resp_2\"");

            assertThat(unknown.status()).isEqualTo(400);
            assertThat(unknown.body())
                    .contains("\"param\":\"previous_response_id\"", "\"code\":\"previous_response_not_found\"");
            assertThat(known.status()).isEqualTo(200);
            assertThat(upstream.calls()).hasSize(3);
            assertThat(call(gateway, "GET", "resp_1", RunningGateway.KEY).status())
                    .isEqualTo(404);
            assertThat(call(gateway, "DELETE", "resp_1", RunningGateway.KEY).status())
                    .isEqualTo(404);
            gateway.awaitIdle();
        }
    }

    @Test
    void isNotThereIfItsClientDidNotWantThatOrItFailedOrIsNoResponse() throws Exception {
        AtomicInteger turn = new AtomicInteger();
        List<String> answers = List.of(answer("resp_1", "a"), "{\"error\":{}}", "{\"id\":7}", "[1]");
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    int number = turn.getAndIncrement();
                    call.json(number == 1 ? 400 : 200, answers.get(number));
                });
                RunningGateway gateway = gateway(upstream, "")) {
            create(gateway, ",\"store\":false");
            for (int i = 1; i < 4; i++) {
                assertThat(create(gateway, "").body()).isEqualTo(answers.get(i));
            }

            assertThat(count(database, "response")).isZero();
            gateway.awaitIdle();
        }
    }

    @Test
    void isNotThereIfItIsLargerThanWhatIsKept() throws Exception {
        String large = answer("resp_1", "x".repeat(3_000));
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, large));
                RunningGateway gateway = gateway(upstream, "workers: {max-response: 2KiB}\n")) {
            assertThat(create(gateway, "").body()).isEqualTo(large);
            assertThat(count(database, "response")).isZero();
        }
    }

    @Test
    void isPurgedWhenItsTimeIsOver() throws Exception {
        try (RawUpstream upstream = numbered();
                RunningGateway gateway = gateway(upstream, "workers: {retention: 50ms}\n")) {
            create(gateway, "");

            await().atMost(20, SECONDS).until(() -> count(database, "response") == 0);
            assertThat(call(gateway, "GET", "resp_1", RunningGateway.KEY).status())
                    .isEqualTo(404);
        }
    }

    @Test
    void cannotGrowBeyondTheLargestBody() throws Exception {
        try (RawUpstream upstream = numbered();
                RunningGateway gateway = gateway(upstream, "http: {max-body: 2KiB}\n")) {
            String long1 = "{\"model\":\"chat\",\"input\":\"" + "x".repeat(1_500) + "\"";
            exchange(gateway.port(), request(long1 + "}", ""));

            Answer refused = exchange(gateway.port(), request(long1 + ",\"previous_response_id\":\"resp_1\"}", ""));

            assertThat(refused.status()).isEqualTo(413);
            assertThat(refused.body()).contains("\"param\":\"previous_response_id\"");
            assertThat(upstream.calls()).hasSize(1);
            gateway.awaitIdle();
        }
    }

    @Test
    void hasNoEventsAndCannotBeCancelled() throws Exception {
        try (RawUpstream upstream = numbered();
                RunningGateway gateway = gateway(upstream, "")) {
            create(gateway, "");

            Answer stream = call(gateway, "GET", "resp_1?stream=true", RunningGateway.KEY);
            Answer cancel = call(gateway, "POST", "resp_1/cancel", RunningGateway.KEY);

            assertThat(stream.status()).isEqualTo(400);
            assertThat(stream.body()).contains("\"param\":\"stream\"");
            assertThat(cancel.status()).isEqualTo(400);
            assertThat(call(gateway, "GET", "resp_1?stream=x", RunningGateway.KEY)
                            .body())
                    .contains("\"param\":\"stream\"");
            assertThat(call(gateway, "GET", "resp_1?starting_after=1", RunningGateway.KEY)
                            .body())
                    .contains("\"param\":\"starting_after\"");
            assertThat(call(gateway, "GET", "resp_1/input_items?limit=0", RunningGateway.KEY)
                            .body())
                    .contains("\"param\":\"limit\"");
        }
    }
}
