package dev.sluice.gateway.upstream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.gateway.config.Upstream.Simulated;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("The simulated server answers every API")
final class SimulatedApisTest {
    private static final String TOOLS =
            "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"},\"days\":{\"type\":\"integer\"},"
                    + "\"unit\":{\"enum\":[\"c\",\"f\"]}}}";

    private static String play(String path, String body) {
        return play(path, body, 200);
    }

    private static String play(String path, String body, int status) {
        SimulatedScript script = new SimulatedUpstream(
                        new Simulated(Duration.ofMillis(1), 50, 0, 0, 1, 5, OptionalInt.empty()),
                        InstantSource.fixed(Instant.ofEpochSecond(1_700_000_000)))
                .script(path, body.getBytes(UTF_8));
        String text = script.pieces().stream()
                .map(piece -> piece.bytes().toString(UTF_8))
                .collect(Collectors.joining());
        assertThat(script.status()).as(text).isEqualTo(status);
        return text;
    }

    private static JsonNode json(String path, String body) {
        return JsonMapper.shared().readTree(play(path, body));
    }

    private static String embed(String extra) {
        return "{\"model\":\"m\",\"input\":\"hello\"" + extra + "}";
    }

    private static List<Double> vector(String extra) {
        List<Double> numbers = new ArrayList<>();
        json("/v1/embeddings", embed(extra))
                .path("data")
                .get(0)
                .path("embedding")
                .forEach(number -> numbers.add(number.doubleValue()));
        return numbers;
    }

    @Test
    void anEmbeddingIsAUnitVectorThatFollowsFromTheInput() {
        List<Double> vector = vector("");

        assertThat(vector).hasSize(256).isEqualTo(vector(""));
        assertThat(vector.stream().mapToDouble(x -> x * x).sum()).isCloseTo(1, within(1e-4));
        assertThat(vector(",\"dimensions\":8")).hasSize(8);
        assertThat(json("/v1/embeddings", embed("").replace("hello", "other")).path("data"))
                .isNotEqualTo(json("/v1/embeddings", embed("")).path("data"));
    }

    @Test
    void base64HoldsTheSameNumbersAsFloats() {
        String text = json("/v1/embeddings", embed(",\"encoding_format\":\"base64\",\"dimensions\":16"))
                .path("data")
                .get(0)
                .path("embedding")
                .asString();
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text)).order(ByteOrder.LITTLE_ENDIAN);

        for (double number : vector(",\"dimensions\":16")) {
            assertThat((double) bytes.getFloat()).isCloseTo(number, within(1e-7));
        }
        assertThat(bytes.hasRemaining()).isFalse();
    }

    @Test
    void severalInputsAreEmbeddedInOrderAndTokensAreCounted() {
        JsonNode answer = json("/v1/embeddings", "{\"model\":\"m\",\"input\":[[1,2,3],[4]],\"dimensions\":2}");

        assertThat(answer.path("data")).hasSize(2);
        assertThat(answer.path("data").get(1).path("index").asInt()).isEqualTo(1);
        assertThat(answer.path("usage").path("prompt_tokens").asInt()).isEqualTo(4);
        assertThat(json("/v1/embeddings", "{\"model\":\"m\",\"input\":[1,2,3]}").path("data"))
                .hasSize(1);
    }

    @Test
    void aPromptIsCompletedWithSixteenTokensByDefault() {
        JsonNode answer =
                json("/v1/completions", "{\"model\":\"m\",\"prompt\":\"Once upon a time\",\"ignore_eos\":true}");

        assertThat(answer.path("object").asString()).isEqualTo("text_completion");
        assertThat(answer.path("choices").get(0).path("text").asString().strip().split(" "))
                .hasSize(16);
        assertThat(answer.path("choices").get(0).path("finish_reason").asString())
                .isEqualTo("length");
        assertThat(answer.path("usage").path("prompt_tokens").asInt()).isEqualTo(4);
    }

    @Test
    void aCompletionStreams() {
        String stream = play(
                "/v1/completions",
                "{\"model\":\"m\",\"prompt\":[1,2],\"max_tokens\":3,\"stream\":true,"
                        + "\"stream_options\":{\"include_usage\":true}}");

        String[] events = stream.split("\n\n");
        assertThat(events).hasSize(3 + 1 + 1 + 1);
        assertThat(events[0]).startsWith("data: {").contains("\"text\":", "\"finish_reason\":null");
        assertThat(events[3]).contains("\"finish_reason\":\"length\"");
        assertThat(events[4]).contains("\"prompt_tokens\":2");
        assertThat(events[5]).isEqualTo("data: [DONE]");
    }

    @Test
    void aMessageStreamHasTheOrderOfTheRealOne() {
        String stream = play(
                "/v1/messages",
                "{\"model\":\"m\",\"max_tokens\":2,\"stream\":true,\"thinking\":{\"type\":\"enabled\"},"
                        + "\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}");

        assertThat(stream.lines().filter(line -> line.startsWith("event: ")).map(line -> line.substring(7)))
                .containsExactly(
                        "message_start",
                        "content_block_start",
                        "ping",
                        "content_block_delta",
                        "content_block_delta",
                        "content_block_stop",
                        "content_block_start",
                        "content_block_delta",
                        "content_block_delta",
                        "content_block_stop",
                        "message_delta",
                        "message_stop");
        assertThat(stream).contains("\"thinking_delta\"", "\"signature_delta\"", "\"stop_reason\":\"max_tokens\"");
    }

    @Test
    void offeredToolsAreCalledOnceWithArgumentsOfTheirSchema() {
        String chat = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}%s],\"tools\":["
                + "{\"type\":\"function\",\"function\":{\"name\":\"weather\",\"parameters\":" + TOOLS + "}}]}";
        JsonNode choice =
                json("/v1/chat/completions", chat.formatted("")).path("choices").get(0);
        JsonNode call = choice.path("message").path("tool_calls").get(0);
        JsonNode arguments = JsonMapper.shared()
                .readTree(call.path("function").path("arguments").asString());

        assertThat(choice.path("finish_reason").asString()).isEqualTo("tool_calls");
        assertThat(call.path("function").path("name").asString()).isEqualTo("weather");
        assertThat(arguments.path("city").isString()).isTrue();
        assertThat(arguments.path("days").isInt()).isTrue();
        assertThat(arguments.path("unit").asString()).isIn("c", "f");
        assertThat(json("/v1/chat/completions", chat.formatted(",{\"role\":\"tool\",\"content\":\"sunny\"}"))
                        .path("choices")
                        .get(0)
                        .path("message")
                        .path("content")
                        .asString())
                .isNotBlank();
    }

    @Test
    void messagesCallToolsLikewise() {
        String body = "{\"model\":\"m\",\"max_tokens\":9,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],"
                + "\"tool_choice\":{\"type\":\"any\"%s},\"tools\":[{\"name\":\"a\",\"input_schema\":" + TOOLS
                + "},{\"name\":\"b\",\"input_schema\":" + TOOLS + "}]%s}";

        assertThat(json("/v1/messages", body.formatted("", "")).path("content")).hasSize(2);
        assertThat(json("/v1/messages", body.formatted(",\"disable_parallel_tool_use\":true", ""))
                        .path("content"))
                .hasSize(1);
        assertThat(play("/v1/messages", body.formatted("", ",\"stream\":true")))
                .contains("\"input_json_delta\"", "\"name\":\"b\"", "\"stop_reason\":\"tool_use\"");
    }

    @Test
    void tokensAreCountedWithTheSystemPrompt() {
        assertThat(json(
                                "/v1/messages/count_tokens",
                                "{\"model\":\"m\",\"system\":\"12345678\",\"messages\":[{\"role\":\"user\","
                                        + "\"content\":[{\"type\":\"text\",\"text\":\"1234\"}]}]}")
                        .path("input_tokens")
                        .asInt())
                .isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /v1/embeddings  | {"model":"m"}                                  | input
            /v1/embeddings  | {"model":"m","input":[]}                       | input
            /v1/embeddings  | {"model":"m","input":"a","dimensions":5000}    | dimensions
            /v1/embeddings  | {"model":"m","input":"a","encoding_format":""} | encoding_format
            /v1/completions | {"model":"m"}                                  | prompt
            /v1/completions | {"model":"m","prompt":"a","n":2}               | n
            """)
    void badValuesAreRefusedByName(String path, String body, String param) {
        assertThat(play(path, body, 400)).contains("\"param\":\"" + param + "\"");
    }

    @Test
    void messagesWithoutALimitAreRefusedInTheirOwnShape() {
        assertThat(play("/v1/messages", "{\"model\":\"m\",\"messages\":[{\"role\":\"user\"}]}", 400))
                .startsWith("{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\"")
                .contains("max_tokens");
    }
}
