package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static dev.sluice.gateway.RawClient.exchange;
import static dev.sluice.gateway.RawClient.post;
import static dev.sluice.gateway.RunningGateway.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.RawClient.Answer;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Either client can use a provider of either API")
final class TranslationTest {
    private static final String CHAT = "{\"model\":\"chat\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]%s}";
    private static final String MESSAGE =
            "{\"model\":\"chat\",\"max_tokens\":5,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]%s}";
    private static final String MESSAGE_ANSWER =
            "{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[{\"type\":\"text\","
                    + "\"text\":\"hello\"}],\"stop_reason\":\"end_turn\",\"usage\":{\"input_tokens\":1,\"output_tokens\":2}}";
    private static final String CHAT_ANSWER =
            "{\"id\":\"c\",\"model\":\"m\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\","
                    + "\"content\":\"hello\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1}}";

    private static String messages(String extra) {
        return post("/v1/messages", KEY, MESSAGE.formatted(extra), "anthropic-version: 2023-06-01\r\n");
    }

    private static String anthropic(RawUpstream upstream) {
        return RunningGateway.oneProvider(upstream.url(), 2, "{limit: 2}")
                .replace("base-url:", "type: anthropic, base-url:");
    }

    private static String openai(RawUpstream upstream) {
        return RunningGateway.oneProvider(upstream.url(), 2, "{limit: 2}");
    }

    /** The provider of the Anthropic API is preferred. */
    private static String both(RawUpstream anthropic, RawUpstream openai) {
        return anthropic(anthropic)
                .replace(
                        "models:\n",
                        "      - {id: up-2, base-url: \"%s\", capacity: 2, priority: 9}\nmodels:\n"
                                .formatted(openai.url()));
    }

    @Test
    void aChatIsAnsweredByAProviderOfTheAnthropicApi() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, MESSAGE_ANSWER));
                RunningGateway gateway = RunningGateway.start(anthropic(upstream))) {
            Answer answer = exchange(gateway.port(), chat(KEY, CHAT.formatted(""), "openai-beta: x\r\n"));

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).contains("\"object\":\"chat.completion\"", "\"content\":\"hello\"");
            assertThat(answer.headers())
                    .containsEntry("content-type", "application/json")
                    .doesNotContainKey("x-untranslated");
            RawUpstream.Call seen = upstream.calls().getFirst();
            assertThat(seen.body()).contains("\"model\":\"served/name\"", "\"max_tokens\":4096");
            assertThat(seen.head().toLowerCase(Locale.ROOT))
                    .startsWith("post /v1/messages ")
                    .contains("x-api-key: upstream-secret\r\n", "anthropic-version: 2023-06-01\r\n")
                    .doesNotContain("authorization", "openai-beta");
            gateway.awaitIdle();
        }
    }

    @Test
    void aMessageIsAnsweredByAProviderOfTheOpenAiApi() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, CHAT_ANSWER));
                RunningGateway gateway = RunningGateway.start(openai(upstream))) {
            Answer answer = exchange(gateway.port(), messages(",\"cache_control\":{\"type\":\"ephemeral\"}"));

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).contains("\"type\":\"message\"", "\"text\":\"hello\"", "\"end_turn\"");
            assertThat(answer.header("x-untranslated")).isEqualTo("cache_control");
            RawUpstream.Call seen = upstream.calls().getFirst();
            assertThat(seen.body()).contains("\"model\":\"served/name\"", "\"max_completion_tokens\":5");
            assertThat(seen.head().toLowerCase(Locale.ROOT))
                    .startsWith("post /v1/chat/completions ")
                    .contains("authorization: bearer upstream-secret\r\n")
                    .doesNotContain("x-api-key", "anthropic-version");
            gateway.awaitIdle();
        }
    }

    @Test
    void aLargeRequestIsTranslatedToo() throws IOException {
        String large = "y".repeat(600_000);
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, CHAT_ANSWER));
                RunningGateway gateway = RunningGateway.start(openai(upstream))) {
            Answer answer = exchange(gateway.port(), messages(",\"system\":\"" + large + "\""));

            assertThat(answer.status()).isEqualTo(200);
            assertThat(upstream.calls().getFirst().body())
                    .contains("{\"role\":\"system\",\"content\":\"" + large + "\"}");
            gateway.awaitIdle();
        }
    }

    @Test
    void whatCannotBeTranslatedIsRefusedBeforeItWaits() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway = RunningGateway.start(anthropic(upstream))) {
            Answer answer = exchange(gateway.port(), chat(CHAT.formatted(",\"seed\":7")));

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body())
                    .contains("\"param\":\"seed\"", "\"code\":\"invalid_request\"", "'seed' cannot be");
            Answer vectors =
                    exchange(gateway.port(), post("/v1/embeddings", KEY, "{\"model\":\"chat\",\"input\":\"a\"}", ""));
            assertThat(vectors.status()).isEqualTo(400);
            assertThat(vectors.body()).contains("\"param\":\"model\"", "/embeddings");
            assertThat(upstream.calls()).isEmpty();
            gateway.awaitIdle();
        }
    }

    @Test
    void aMessageIsRefusedInItsOwnShape() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> call.json(200, "{}"));
                RunningGateway gateway = RunningGateway.start(openai(upstream))) {
            Answer answer = exchange(gateway.port(), messages(",\"top_k\":7"));

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body()).contains("\"invalid_request_error\"", "'top_k' cannot be translated");
            Answer count = exchange(
                    gateway.port(),
                    post("/v1/messages/count_tokens", KEY, "{\"model\":\"chat\",\"messages\":[{}]}", ""));
            assertThat(count.status()).isEqualTo(400);
            assertThat(count.body()).contains("count_tokens");
            gateway.awaitIdle();
        }
    }

    @Test
    void whatCannotBeTranslatedGoesToAProviderThatSpeaksItsApi() throws IOException {
        try (RawUpstream anthropic = RawUpstream.start(call -> call.json(200, MESSAGE_ANSWER));
                RawUpstream openai = RawUpstream.start(call -> call.json(200, CHAT_ANSWER));
                RunningGateway gateway = RunningGateway.start(both(anthropic, openai))) {
            assertThat(exchange(gateway.port(), chat(CHAT.formatted(""))).header("x-sluice-provider"))
                    .as("what can be translated goes to the preferred one")
                    .isEqualTo("up-1");

            Answer answer = exchange(gateway.port(), chat(CHAT.formatted(",\"seed\":7")));

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("x-sluice-provider")).isEqualTo("up-2");
            assertThat(openai.calls().getFirst().body()).contains("\"seed\":7");
            gateway.awaitIdle();
        }
    }

    @Test
    void aRequestMovesFromOneApiToTheOtherButNotToOneThatCannotTakeIt() throws IOException {
        try (RawUpstream anthropic = RawUpstream.start(call -> call.json(529, "{}"));
                RawUpstream openai = RawUpstream.start(call -> call.json(200, CHAT_ANSWER));
                RunningGateway gateway = RunningGateway.start(both(anthropic, openai))) {
            assertThat(exchange(gateway.port(), chat(CHAT.formatted(""))).header("x-sluice-provider"))
                    .isEqualTo("up-2");

            Answer busy = exchange(gateway.port(), messages(",\"top_k\":7"));

            assertThat(busy.status()).as("the only one that can take it").isEqualTo(529);
            assertThat(busy.header("x-sluice-provider")).isEqualTo("up-1");
            gateway.awaitIdle();
        }
    }

    @Test
    void anUpstreamsErrorIsToldInTheClientsShape() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(
                        call -> call.json(
                                400,
                                "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"too long\"}}"));
                RunningGateway gateway = RunningGateway.start(anthropic(upstream))) {
            Answer answer = exchange(gateway.port(), chat(CHAT.formatted("")));

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.body())
                    .isEqualTo("{\"error\":{\"message\":\"too long\",\"type\":\"invalid_request_error\",\"param\":null,"
                            + "\"code\":null}}");
            gateway.awaitIdle();
        }
    }

    @Test
    void anAnswerWithoutACounterpartIsAFaultOfTheUpstream() throws IOException {
        try (RawUpstream upstream =
                        RawUpstream.start(call -> call.json(200, MESSAGE_ANSWER.replace("end_turn", "pause_turn")));
                RunningGateway gateway = RunningGateway.start(anthropic(upstream))) {
            Answer answer = exchange(gateway.port(), chat(CHAT.formatted("")));

            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.body()).contains("\"code\":\"upstream_error\"", "pause_turn");
            gateway.awaitIdle();
        }
    }

    @Test
    void aStreamIsTranslatedAsItComes() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    call.streamHead();
                    call.chunk(
                            "data: {\"id\":\"c\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hel");
                    call.chunk("lo\"},\"finish_reason\":null}]}\n\n");
                    call.chunk("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"length\"}]}\n\n");
                    call.chunk("data: [DONE]\n\n");
                    call.lastChunk();
                });
                RunningGateway gateway = RunningGateway.start(openai(upstream))) {
            Answer answer = exchange(gateway.port(), messages(",\"stream\":true"));

            assertThat(answer.header("content-type")).startsWith("text/event-stream");
            assertThat(answer.body())
                    .startsWith("event: message_start\n")
                    .contains("\"text\":\"hello\"", "\"stop_reason\":\"max_tokens\"")
                    .endsWith("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
            assertThat(upstream.calls().getFirst().body()).contains("\"stream_options\":{\"include_usage\":true}");
            gateway.awaitIdle();
        }
    }

    @Test
    void anErrorWithinAStreamIsToldInTheClientsWayAndCutsIt() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(call -> {
                    call.streamHead();
                    call.chunk(
                            "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\"}}\n\n");
                    call.chunk("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\","
                            + "\"message\":\"Busy\"}}\n\n");
                    call.awaitClose();
                });
                RunningGateway gateway = RunningGateway.start(anthropic(upstream));
                RawClient client = RawClient.connect(gateway.port()).send(chat(CHAT.formatted(",\"stream\":true")))) {
            assertThat(client.head().status()).isEqualTo(200);
            assertThat(client.rest())
                    .contains(
                            "\"role\":\"assistant\"", "data: {\"error\":{", "overloaded_error: Busy", "upstream_error")
                    .doesNotContain("[DONE]");
            gateway.awaitIdle();
        }
    }

    @Test
    void aDepartedClientEndsTheUpstream() throws IOException {
        try (RawUpstream upstream = RawUpstream.start(RawUpstream.Call::awaitClose);
                RunningGateway gateway = RunningGateway.start(openai(upstream))) {
            try (RawClient client = RawClient.connect(gateway.port()).send(messages(",\"stream\":true"))) {
                await().until(() -> upstream.running() == 1);
            }
            gateway.awaitIdle();
            await().until(() -> upstream.running() == 0);
        }
    }
}
