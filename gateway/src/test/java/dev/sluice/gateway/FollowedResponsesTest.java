package dev.sluice.gateway;

import static dev.sluice.gateway.ResponsesClient.call;
import static dev.sluice.gateway.ResponsesClient.create;
import static dev.sluice.gateway.ResponsesClient.delta;
import static dev.sluice.gateway.ResponsesClient.event;
import static dev.sluice.gateway.ResponsesClient.events;
import static dev.sluice.gateway.ResponsesClient.get;
import static dev.sluice.gateway.ResponsesClient.numbers;
import static dev.sluice.gateway.ResponsesClient.request;
import static dev.sluice.gateway.ResponsesClient.types;
import static dev.sluice.gateway.TaskClient.awaitNothingHeld;
import static dev.sluice.gateway.TaskClient.count;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@DisplayName("The events of a response in the background")
final class FollowedResponsesTest extends OnDatabase {
    private RunningGateway gateway(RawUpstream upstream) {
        return gateway(upstream, "{limit: 1, queue: 5}", "");
    }

    private static List<Integer> upTo(int number) {
        return IntStream.rangeClosed(0, number).boxed().toList();
    }

    @Test
    void haveOneRowOfNumbersAndGoOnWithoutTheClient() throws Exception {
        var rest = new CountDownLatch(1);
        try (RawUpstream upstream = RawUpstream.start(call -> ResponsesClient.stream(call, rest));
                RunningGateway gateway = gateway(upstream);
                RunningGateway other = gateway(upstream)) {
            String id;
            try (RawClient client = RawClient.connect(gateway.port())) {
                client.send(request("{\"model\":\"chat\",\"input\":\"hi\",\"background\":true,\"stream\":true}", ""));
                Answer head = client.head();
                assertThat(head.status()).isEqualTo(200);
                assertThat(head.header("content-type")).startsWith("text/event-stream");
                StringBuilder seen = new StringBuilder();
                while (!seen.toString().contains("\"delta\":\"b\"")) {
                    seen.append(client.chunk());
                }
                List<JsonNode> events = events(seen.toString());
                assertThat(types(events))
                        .containsExactly(
                                "response.created",
                                "response.queued",
                                "response.in_progress",
                                "response.output_text.delta",
                                "response.output_text.delta");
                assertThat(numbers(events)).isEqualTo(upTo(4));
                id = events.getFirst().path("response").path("id").asString();
                assertThat(events.get(2).path("response").path("id").asString()).isEqualTo(id);
            }
            rest.countDown();

            // Another gateway goes on where the first one was left, and shows a client everything that comes late.
            List<JsonNode> resumed = events(call(other, "GET", id + "?stream=true&starting_after=3", RunningGateway.KEY)
                    .body());
            List<JsonNode> whole = events(call(gateway, "GET", id + "?stream=true", RunningGateway.KEY)
                    .body());

            assertThat(types(resumed))
                    .containsExactly("response.output_text.delta", "response.output_text.delta", "response.completed");
            assertThat(resumed.getFirst().path("delta").asString()).isEqualTo("b");
            assertThat(numbers(resumed)).containsExactly(4, 5, 6);
            assertThat(numbers(whole)).isEqualTo(upTo(6));
            assertThat(whole.subList(4, 7)).isEqualTo(resumed);
            assertThat(whole.getLast().path("response")).isEqualTo(get(other, id));
            assertThat(upstream.calls()).hasSize(1);
            assertThat(upstream.calls().getFirst().body()).contains("\"stream\":true", "\"background\":false");
            // Whoever knows the last event, or is told a number too high, is shown that event, which has one number.
            for (int after : List.of(6, 99)) {
                assertThat(events(call(other, "GET", id + "?stream=true&starting_after=" + after, RunningGateway.KEY)
                                .body()))
                        .isEqualTo(resumed.subList(2, 3));
            }
            awaitNothingHeld(gateway, database);
        }
    }

    @Test
    void goOnInNumbersWhenItIsTriedAgain() throws Exception {
        var turn = new AtomicInteger();
        var rest = new CountDownLatch(0);
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    if (turn.getAndIncrement() > 0) {
                        ResponsesClient.stream(call, rest);
                        return;
                    }
                    call.streamHead();
                    call.chunk(event("response.created", 0, "\"response\":{\"id\":\"up\"}"));
                    call.chunk(delta(1, "lost"));
                    await().until(() -> count(database, "response_event") == 2);
                    call.reset();
                });
                RunningGateway gateway = gateway(upstream)) {
            List<JsonNode> events = events(
                    create(gateway, ",\"background\":true,\"stream\":true").body());

            assertThat(types(events))
                    .containsExactly(
                            "response.created",
                            "response.queued",
                            "response.in_progress",
                            "response.output_text.delta",
                            "response.in_progress",
                            "response.output_text.delta",
                            "response.output_text.delta",
                            "response.output_text.delta",
                            "response.completed");
            assertThat(numbers(events)).isEqualTo(upTo(8));
            assertThat(events.get(3).path("delta").asString()).isEqualTo("lost");
        }
    }

    @Test
    void areThereAfterARestartAndGoOn() throws Exception {
        var rest = new CountDownLatch(1);
        try (RawUpstream upstream = RawUpstream.start(call -> ResponsesClient.stream(call, rest))) {
            String id;
            try (RunningGateway gateway = gateway(upstream);
                    RawClient client = RawClient.connect(gateway.port())) {
                client.send(request("{\"model\":\"chat\",\"input\":\"hi\",\"background\":true,\"stream\":true}", ""));
                client.head();
                StringBuilder seen = new StringBuilder();
                while (!seen.toString().contains("\"delta\":\"b\"")) {
                    seen.append(client.chunk());
                }
                id = events(seen.toString())
                        .getFirst()
                        .path("response")
                        .path("id")
                        .asString();
            }
            rest.countDown();
            try (RunningGateway gateway = gateway(upstream)) {
                List<JsonNode> events =
                        events(call(gateway, "GET", id + "?stream=true&starting_after=2", RunningGateway.KEY)
                                .body());

                assertThat(types(events).subList(0, 3))
                        .containsExactly(
                                "response.output_text.delta", "response.output_text.delta", "response.in_progress");
                assertThat(types(events).getLast()).isEqualTo("response.completed");
                assertThat(numbers(events))
                        .isEqualTo(IntStream.range(3, 3 + events.size()).boxed().toList());
            }
        }
    }
}
