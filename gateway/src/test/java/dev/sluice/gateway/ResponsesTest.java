package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.exchange;
import static dev.sluice.gateway.ResponsesClient.answer;
import static dev.sluice.gateway.ResponsesClient.call;
import static dev.sluice.gateway.ResponsesClient.create;
import static dev.sluice.gateway.ResponsesClient.delta;
import static dev.sluice.gateway.ResponsesClient.event;
import static dev.sluice.gateway.ResponsesClient.events;
import static dev.sluice.gateway.ResponsesClient.json;
import static dev.sluice.gateway.ResponsesClient.numbers;
import static dev.sluice.gateway.ResponsesClient.request;
import static dev.sluice.gateway.ResponsesClient.types;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

@DisplayName("A response whose client waits")
final class ResponsesTest {
    private static RunningGateway gateway(String url) {
        return RunningGateway.start(RunningGateway.oneProvider(url, 2, "{limit: 1, queue: 5}"));
    }

    private static RunningGateway simulated() {
        return RunningGateway.start("""
                platforms:
                  - id: here
                    providers:
                      - {id: sim, type: simulated, capacity: 4,
                         simulated: {time-to-first-token: 1ms, tokens-per-second: 100000}}
                models:
                  - {id: chat, served-by: [{platform: here, model: m}]}
                  - {id: other, served-by: [{platform: here, model: o}]}
                %s""".formatted(RunningGateway.groups()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            `{ "input" : [1.50, {"x":1e3}], "model" : "chat", "odd":{"store":true} }`        | `{"store":false, "input" : [1.50, {"x":1e3}], "model" : "served/name", "odd":{"store":true} }`
            `{"model":"chat","store" : false,"input":"é"}`                                  | `{"model":"served/name","store" : false,"input":"é"}`
            `{"input":"a","previous_response_id":null,"store":null,"model":"chat"}`         | `{"input":"a","previous_response_id":null,"store":false,"model":"served/name"}`
            `{"background":false,"input":[],"model":"chat","conversation":null}`            | `{"store":false,"background":false,"input":[],"model":"served/name","conversation":null}`
            """)
    void goesToTheUpstreamAsItIsButForTheModelAndThatItKeepsNothing(String sent, String seen) throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{\"id\" : 1.50}"));
                RunningGateway gateway = gateway(upstream.url())) {
            Answer answer = exchange(gateway.port(), request(sent, ""));

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("{\"id\" : 1.50}");
            assertThat(upstream.calls().getFirst().head()).startsWith("POST /v1/responses HTTP/1.1\r\n");
            assertThat(upstream.calls().getFirst().body()).isEqualTo(seen);
            gateway.awaitIdle();
        }
    }

    @Test
    void streamsThroughWithoutATouch() throws IOException {
        String stream = event("response.created", 0, "\"response\" : {\"id\":\"r\"}")
                + delta(1, "a")
                + event("response.completed", 2, "\"response\":" + answer("r", "a"));
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    call.streamHead();
                    call.chunk(stream.substring(0, 70));
                    call.chunk(stream.substring(70));
                    call.lastChunk();
                });
                RunningGateway gateway = gateway(upstream.url())) {
            assertThat(create(gateway, ",\"stream\":true").body()).isEqualTo(stream);
            gateway.awaitIdle();
        }
    }

    @Test
    void whoseStreamBreaksOffEndsWithAFailedEventThatGoesOnInNumbersAndIsCut() throws Exception {
        var seen = new CountDownLatch(1);
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    call.streamHead();
                    call.chunk(event("response.created", 7, "\"response\":{\"id\":\"r\",\"metadata\":{\"a\":\"b\"}}"));
                    call.chunk(delta(8, "a"));
                    seen.await(20, SECONDS);
                    call.reset();
                });
                RunningGateway gateway = gateway(upstream.url());
                RawClient client = RawClient.connect(gateway.port())) {
            client.send(request("{\"model\":\"chat\",\"input\":\"hi\",\"stream\":true}", ""));
            assertThat(client.head().status()).isEqualTo(200);
            StringBuilder told = new StringBuilder();
            while (!told.toString().contains("\"delta\":\"a\"")) {
                told.append(client.chunk());
            }
            seen.countDown();
            told.append(client.chunk());

            List<JsonNode> events = events(told.toString());
            assertThat(client.closedByServer()).as("without a last chunk").isTrue();
            assertThat(types(events))
                    .containsExactly("response.created", "response.output_text.delta", "response.failed");
            assertThat(numbers(events)).containsExactly(7, 8, 9);
            JsonNode failed = events.getLast().path("response");
            assertThat(failed.path("id").asString()).isEqualTo("r");
            assertThat(failed.path("metadata").path("a").asString()).isEqualTo("b");
            assertThat(failed.path("status").asString()).isEqualTo("failed");
            assertThat(failed.path("error").path("code").asString()).isEqualTo("upstream_error");
            gateway.awaitIdle();
        }
    }

    @Test
    void thatWaitedAndIsThenRefusedEndsItsStreamWithAFailedEvent() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    if (upstreamHolds(call)) {
                        call.awaitClose();
                    } else {
                        call.json(400, "{\"error\":{\"message\":\"too\\nhot\",\"code\":\"x\"}}");
                    }
                });
                RunningGateway gateway =
                        RunningGateway.start(RunningGateway.oneProvider(upstream.url(), 2, "{limit: 1, queue: 5}")
                                + "queueing: {first-byte-grace: 0s}\n");
                RawClient holder = RawClient.connect(gateway.port());
                RawClient client = RawClient.connect(gateway.port())) {
            holder.send(request("{\"model\":\"chat\",\"input\":\"hold\"}", ""));
            org.awaitility.Awaitility.await().until(() -> upstream.running() == 1);
            client.send(request("{\"model\":\"chat\",\"input\":\"hi\",\"stream\":true}", ""));
            assertThat(client.head().status()).isEqualTo(200);
            assertThat(client.chunk()).startsWith(": queued position=1");
            holder.close();

            List<JsonNode> events = events(client.chunk());

            assertThat(types(events)).containsExactly("response.failed");
            assertThat(events.getFirst().path("sequence_number").asInt(-1)).isZero();
            JsonNode failed = events.getFirst().path("response");
            assertThat(failed.path("id").asString()).matches("resp_[0-9a-f]{32}");
            assertThat(failed.path("model").asString()).isEqualTo("chat");
            assertThat(failed.path("error").path("code").asString()).isEqualTo("x");
            assertThat(failed.path("error").path("message").asString()).isEqualTo("too\nhot");
            assertThat(client.closedByServer()).isTrue();
            gateway.awaitIdle();
        }
    }

    private static boolean upstreamHolds(RawUpstream.Call call) {
        return call.body().contains("hold");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            `{"model":"chat"}`                                                   | input
            `{"model":"chat","input":7}`                                         | input
            `{"input":"a"}`                                                      | model
            `{"model":"chat","input":"a","store":"no"}`                          | store
            `{"model":"chat","input":"a","background":1}`                        | background
            `{"model":"chat","input":"a","max_output_tokens":"x"}`               | max_output_tokens
            `{"model":"chat","input":"a","previous_response_id":7}`              | previous_response_id
            `{"model":"chat","input":"a","conversation":"conv_1"}`               | conversation
            `{"model":"chat","input":"a","background":true,"store":false}`       | store
            `{"model":"chat","input":"a","background":true}`                     | background
            `{"model":"chat","input":"a","store":true}`                          | store
            `{"model":"chat","input":"a","previous_response_id":"resp_1"}`       | previous_response_id
            """)
    void thatCannotBeMadeIsRefusedByNameInMemoryMode(String body, String param) throws IOException {
        try (RunningGateway gateway = gateway("http://127.0.0.1:9/v1")) {
            Answer answer = exchange(gateway.port(), request(body, ""));

            assertThat(answer.status()).as(answer.body()).isEqualTo(400);
            assertThat(answer.body()).contains("\"code\":\"invalid_request\"", "\"param\":\"" + param + "\"");
            gateway.awaitIdle();
        }
    }

    @Test
    void isNotKeptInMemoryModeAndTheGatewaySaysWhy() throws IOException {
        try (RunningGateway gateway = simulated()) {
            String id = json(create(gateway, "")).path("id").asString();

            Answer answer = call(gateway, "GET", id, RunningGateway.KEY);

            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.body()).contains("database.mode", "\"code\":\"not_found\"");
        }
    }

    @Test
    void isMadeByTheSimulatedProviderWithEverythingTheApiHas() throws IOException {
        try (RunningGateway gateway = simulated()) {
            JsonNode whole = json(create(gateway, ",\"max_output_tokens\":5,\"metadata\":{\"a\":\"b\"}"));
            List<JsonNode> events = events(create(gateway, ",\"stream\":true").body());

            assertThat(whole.path("object").asString()).isEqualTo("response");
            assertThat(whole.path("status").asString()).isEqualTo("incomplete");
            assertThat(whole.path("incomplete_details").path("reason").asString())
                    .isEqualTo("max_output_tokens");
            assertThat(whole.path("usage").path("output_tokens").asInt()).isEqualTo(5);
            assertThat(whole.path("metadata").path("a").asString()).isEqualTo("b");
            assertThat(types(events))
                    .startsWith("response.created", "response.in_progress", "response.output_item.added")
                    .endsWith("response.content_part.done", "response.output_item.done", "response.completed");
            assertThat(numbers(events))
                    .isEqualTo(java.util.stream.IntStream.range(0, events.size())
                            .boxed()
                            .toList());
            String text = events.stream()
                    .filter(event -> event.path("type").asString().equals("response.output_text.delta"))
                    .map(event -> event.path("delta").asString())
                    .collect(java.util.stream.Collectors.joining());
            assertThat(events.getLast()
                            .path("response")
                            .path("output")
                            .get(0)
                            .path("content")
                            .get(0)
                            .path("text")
                            .asString())
                    .isNotBlank()
                    .isEqualTo(text);
            gateway.awaitIdle();
        }
    }

    @Test
    void callsToolsAndAnswersTheirResults() throws IOException {
        String tools = ",\"tools\":[{\"type\":\"function\",\"name\":\"look\",\"parameters\":{\"type\":\"object\","
                + "\"properties\":{\"at\":{\"type\":\"integer\"}}}}]";
        try (RunningGateway gateway = simulated()) {
            JsonNode called = json(create(gateway, tools)).path("output").get(0);
            List<JsonNode> events =
                    events(create(gateway, tools + ",\"stream\":true").body());
            Answer after = exchange(
                    gateway.port(),
                    request(
                            "{\"model\":\"chat\",\"input\":[{\"type\":\"function_call_output\",\"call_id\":\"c\","
                                    + "\"output\":\"7\"}]" + tools + "}",
                            ""));

            assertThat(called.path("type").asString()).isEqualTo("function_call");
            assertThat(called.path("name").asString()).isEqualTo("look");
            assertThat(called.path("arguments").asString()).matches("\\{\"at\":[0-9]+}");
            assertThat(types(events))
                    .contains("response.function_call_arguments.delta", "response.function_call_arguments.done");
            assertThat(json(after).path("output").get(0).path("type").asString())
                    .isEqualTo("message");
        }
    }

    @Test
    void isRefusedByNameWhereOnlyProvidersOfTheOtherApiServeTheModel() throws IOException {
        try (RunningGateway gateway = RunningGateway.start("""
                platforms:
                  - id: here
                    providers: [{id: p, type: anthropic, base-url: "http://127.0.0.1:9/v1", capacity: 1}]
                models:
                  - {id: chat, served-by: [{platform: here, model: m}]}
                  - {id: other, served-by: [{platform: here, model: o}]}
                %s""".formatted(RunningGateway.groups()))) {
            Answer answer = create(gateway, "");

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).contains("/responses", "\"param\":\"model\"");
        }
    }
}
