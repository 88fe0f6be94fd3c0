package dev.sluice.gateway.translation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@DisplayName("An answer is translated whole, or broken off with its reason")
final class AnswersTest {
    private final AnswerTranslation toChat = new MessagesAnswer(1_700_000_000, true);
    private final AnswerTranslation toMessages = new ChatAnswer();

    private static JsonNode whole(AnswerTranslation translation, String answer) throws BrokenAnswer {
        return Json.read(translation.whole(Buffer.buffer(answer)).getBytes());
    }

    @Test
    void aMessageBecomesAChatCompletion() throws BrokenAnswer {
        assertThat(whole(toChat, Golden.text("message-answer.json")))
                .isEqualTo(Golden.json("message-answer-as-chat.json"));
    }

    @Test
    void aChatCompletionBecomesAMessage() throws BrokenAnswer {
        assertThat(whole(toMessages, Golden.text("chat-answer.json")))
                .isEqualTo(Golden.json("chat-answer-as-message.json"));
    }

    @ParameterizedTest
    @CsvSource({
        "end_turn, stop",
        "stop_sequence, stop",
        "max_tokens, length",
        "model_context_window_exceeded, length",
        "tool_use, tool_calls",
        "refusal, content_filter"
    })
    void everyStopReasonHasAFinishReason(String stop, String finish) throws BrokenAnswer {
        String answer = "{\"type\":\"message\",\"content\":[],\"stop_reason\":\"" + stop + "\"}";

        assertThat(whole(toChat, answer)
                        .path("choices")
                        .get(0)
                        .path("finish_reason")
                        .asString())
                .isEqualTo(finish);
    }

    @ParameterizedTest
    @CsvSource({"stop, end_turn", "length, max_tokens", "tool_calls, tool_use", "content_filter, refusal"})
    void everyFinishReasonHasAStopReason(String finish, String stop) throws BrokenAnswer {
        String answer = "{\"choices\":[{\"message\":{\"content\":\"a\"},\"finish_reason\":\"" + finish + "\"}]}";

        assertThat(whole(toMessages, answer).path("stop_reason").asString()).isEqualTo(stop);
    }

    private static final String CALL =
            "{\"id\":\"1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":%s}}";

    private static String completion(String message) {
        return "{\"choices\":[{\"index\":0,\"message\":" + message + ",\"finish_reason\":\"stop\"}]}";
    }

    private static String message(String content) {
        return "{\"type\":\"message\",\"content\":" + content + ",\"stop_reason\":\"end_turn\"}";
    }

    private static String calling(String arguments) {
        return "{\"content\":null,\"tool_calls\":[" + CALL.formatted(arguments) + "]}";
    }

    @Test
    void anAnswerThatCallsAToolEndsForItWhateverTheServerSays() throws BrokenAnswer {
        assertThat(whole(toMessages, completion(calling("\"{}\"")))
                        .path("stop_reason")
                        .asString())
                .isEqualTo("tool_use");
        assertThat(whole(toChat, message("[{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"f\",\"input\":{}}]"))
                        .path("choices")
                        .get(0)
                        .path("finish_reason")
                        .asString())
                .isEqualTo("tool_calls");
        assertThat(whole(toMessages, completion(calling("\"{}\"")).replace("\"stop\"", "\"length\""))
                        .path("stop_reason")
                        .asString())
                .isEqualTo("max_tokens");
    }

    @Test
    void textInPartsIsText() throws BrokenAnswer {
        assertThat(whole(
                                toMessages,
                                completion("{\"content\":[{\"type\":\"text\",\"text\":\"one \"},"
                                        + "{\"type\":\"text\",\"text\":\"two\"}],\"annotations\":[],\"audio\":null}"))
                        .path("content")
                        .get(0)
                        .path("text")
                        .asString())
                .isEqualTo("one two");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {"{\"a\":1}; {\"a\":1}", "`\"{\\\"a\\\":1}\"`; {\"a\":1}", "\"\"; {}", "null; {}"},
            delimiter = ';')
    void argumentsAreAnObjectHoweverTheyCome(String arguments, String input) throws BrokenAnswer {
        assertThat(whole(toMessages, completion(calling(arguments)))
                        .path("content")
                        .get(0)
                        .path("input"))
                .isEqualTo(Json.read(input));
    }

    @Test
    void aNumberKeepsAllItsDigits() throws BrokenAnswer {
        String arguments = "{\"amount\":0.12345678901234567890,\"price\":1.10,\"id\":123456789012345678901}";
        String call = "\"" + arguments.replace("\"", "\\\"") + "\"";

        String message =
                toMessages.whole(Buffer.buffer(completion(calling(call)))).toString();

        assertThat(message).contains("\"input\":" + arguments);
    }

    @Test
    void theFirstChoiceIsTheOneOfIndexZero() throws BrokenAnswer {
        String choices = "{\"choices\":[{\"index\":1,\"message\":{\"content\":\"second\"},\"finish_reason\":\"stop\"},"
                + "{\"index\":0,\"message\":{\"content\":\"first\"},\"finish_reason\":\"length\"}]}";

        JsonNode message = whole(toMessages, choices);

        assertThat(message.path("content").get(0).path("text").asString()).isEqualTo("first");
        assertThat(message.path("stop_reason").asString()).isEqualTo("max_tokens");
    }

    @Test
    void oneTextStandsForItsBlock() throws BrokenAnswer {
        assertThat(whole(toChat, message("\"hello\""))
                        .path("choices")
                        .get(0)
                        .path("message")
                        .path("content")
                        .asString())
                .isEqualTo("hello");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"content\":7}",
                "{\"content\":{\"text\":\"a\"}}",
                "{\"content\":[\"a\"]}",
                "{\"content\":[{\"type\":\"image_url\"}]}",
                "{\"content\":[{\"type\":\"text\",\"text\":7}]}",
                "{\"content\":null,\"refusal\":[\"No.\"]}",
                "{\"content\":\"a\",\"reasoning\":{\"text\":\"Hm.\"}}",
                "{\"content\":\"a\",\"audio\":{\"data\":\"AAAA\"}}",
                "{\"content\":\"a\",\"annotations\":[{\"type\":\"url_citation\"}]}",
                "{\"content\":null,\"function_call\":{\"name\":\"f\",\"arguments\":\"{}\"}}",
                "{\"content\":\"a\",\"tool_calls\":{\"0\":{}}}",
                "{\"content\":\"a\",\"tool_calls\":[\"f\"]}",
                "{\"content\":\"a\",\"tool_calls\":[{\"id\":\"1\",\"type\":\"custom\",\"custom\":{\"name\":\"f\",\"input\":\"a\"}}]}",
                "{\"content\":\"a\",\"tool_calls\":[{\"id\":\"1\",\"function\":{\"name\":\"f\",\"arguments\":7}}]}",
                "{\"content\":\"a\",\"tool_calls\":[{\"id\":\"1\",\"function\":{\"name\":\"f\",\"arguments\":[1]}}]}",
                "{\"content\":\"a\",\"tool_calls\":[{\"id\":\"1\",\"function\":{\"name\":\"\",\"arguments\":\"{}\"}}]}"
            })
    void nothingOfAChatGetsLostSilently(String message) {
        assertThatThrownBy(() -> whole(toMessages, completion(message))).isInstanceOf(BrokenAnswer.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "7",
                "null",
                "{\"type\":\"text\",\"text\":\"a\"}",
                "[\"a\"]",
                "[{\"type\":\"text\",\"text\":[\"a\"]}]",
                "[{\"type\":\"text\",\"text\":\"a\",\"citations\":[{\"type\":\"char_location\"}]}]",
                "[{\"type\":\"thinking\",\"thinking\":7}]",
                "[{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"f\",\"input\":\"{}\"}]",
                "[{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"f\",\"input\":[1]}]",
                "[{\"type\":\"tool_use\",\"id\":\"1\",\"input\":{}}]"
            })
    void nothingOfAMessageGetsLostSilently(String content) {
        assertThatThrownBy(() -> whole(toChat, message(content))).isInstanceOf(BrokenAnswer.class);
    }

    @Test
    void anAnswerOutlivesThoughtsThatOnlyItsProviderCanRead() throws BrokenAnswer {
        JsonNode chat = whole(
                toChat,
                message(
                        "[{\"type\":\"redacted_thinking\",\"data\":\"c2VjcmV0\"},{\"type\":\"text\",\"text\":\"42\"}]"));

        JsonNode answer = chat.path("choices").get(0).path("message");
        assertThat(answer.path("content").asString()).isEqualTo("42");
        assertThat(answer.has("reasoning_content")).isFalse();
        assertThat(chat.toString()).doesNotContain("c2VjcmV0");
    }

    @Test
    void theStopSequenceIsToldWhereTheServerTellsIt() throws BrokenAnswer {
        JsonNode message = whole(
                toMessages,
                "{\"choices\":[{\"message\":{\"content\":\"a\"},\"finish_reason\":\"stop\",\"stop_reason\":\"END\"}]}");

        assertThat(message.path("stop_reason").asString()).isEqualTo("stop_sequence");
        assertThat(message.path("stop_sequence").asString()).isEqualTo("END");
    }

    @Test
    void aRefusalIsTextThatEndedSo() throws BrokenAnswer {
        JsonNode message = whole(
                toMessages,
                "{\"choices\":[{\"message\":{\"content\":null,\"refusal\":\"No.\"},\"finish_reason\":\"stop\"}]}");

        assertThat(message.path("content").get(0).path("text").asString()).isEqualTo("No.");
        assertThat(message.path("stop_reason").asString()).isEqualTo("refusal");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "{}",
                "{\"type\":\"message\",\"content\":[],\"stop_reason\":\"pause_turn\"}",
                "{\"type\":\"message\",\"content\":[{\"type\":\"server_tool_use\"}],\"stop_reason\":\"end_turn\"}"
            })
    void aMessageWithoutACounterpartIsBroken(String answer) {
        assertThatThrownBy(() -> whole(toChat, answer)).isInstanceOf(BrokenAnswer.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "{}",
                "{\"choices\":[]}",
                "{\"choices\":[{\"index\":1,\"message\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}",
                "{\"choices\":[{\"message\":{\"content\":\"a\"},\"finish_reason\":\"odd\"}]}",
                "{\"choices\":[{\"message\":{\"tool_calls\":[{\"id\":\"1\",\"function\":{\"name\":\"f\",\"arguments\":\"[]\"}}]},"
                        + "\"finish_reason\":\"tool_calls\"}]}"
            })
    void aCompletionWithoutACounterpartIsBroken(String answer) {
        assertThatThrownBy(() -> whole(toMessages, answer)).isInstanceOf(BrokenAnswer.class);
    }

    @Test
    void errorsKeepTheirMessage() {
        assertThat(toChat.error(
                                529,
                                Buffer.buffer(
                                        "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Busy\"}}"))
                        .toString())
                .isEqualTo(
                        "{\"error\":{\"message\":\"Busy\",\"type\":\"overloaded_error\",\"param\":null,\"code\":null}}");
        assertThat(toMessages
                        .error(
                                400,
                                Buffer.buffer(
                                        "{\"error\":{\"message\":\"Bad value\",\"type\":\"x\",\"param\":\"stop\",\"code\":null}}"))
                        .toString())
                .isEqualTo("{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\","
                        + "\"message\":\"stop: Bad value\"},\"request_id\":null}");
        assertThat(toMessages.error(500, Buffer.buffer("<html>")).toString()).contains("\"api_error\"", "status 500");
        assertThat(toChat.error(502, Buffer.buffer()).toString()).contains("\"api_error\"", "status 502");
    }
}
