package dev.sluice.gateway.translation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A stream is translated as it comes, wherever its pieces are cut")
final class StreamsTest {
    private static StreamTranslation toChat() {
        return new MessagesAnswer(1_700_000_000, true).stream();
    }

    private static StreamTranslation toMessages() {
        return new ChatAnswer().stream();
    }

    private static String whole(StreamTranslation translation, String events) throws BrokenAnswer {
        return translation
                .chunk(Buffer.buffer(events))
                .appendBuffer(translation.end())
                .toString();
    }

    @Test
    void theEventsOfAMessageBecomeChunks() throws BrokenAnswer {
        assertThat(whole(toChat(), Golden.text("message-stream.txt")))
                .isEqualTo(Golden.text("message-stream-as-chat.txt"));
    }

    @Test
    void chunksBecomeTheEventsOfAMessage() throws BrokenAnswer {
        assertThat(whole(toMessages(), Golden.text("chat-stream.txt")))
                .isEqualTo(Golden.text("chat-stream-as-message.txt"));
    }

    @Test
    void withoutBeingAskedForAStreamHasNoUsage() throws BrokenAnswer {
        assertThat(whole(new MessagesAnswer(0, false).stream(), Golden.text("message-stream.txt")))
                .doesNotContain("usage")
                .endsWith("data: [DONE]\n\n");
    }

    @ParameterizedTest
    @CsvSource({"message-stream.txt, message-stream-as-chat.txt", "chat-stream.txt, chat-stream-as-message.txt"})
    void anyCutAndAnyLineEndGivesTheSame(String from, String to) throws BrokenAnswer {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 400; round++) {
            String lineEnd = new String[] {"\n", "\r\n", "\r"}[random.nextInt(3)];
            byte[] bytes = Golden.text(from).replace("\n", lineEnd).getBytes(UTF_8);
            int longest = 1 + random.nextInt(200);
            StreamTranslation translation = from.startsWith("chat") ? toMessages() : toChat();
            Buffer out = Buffer.buffer();
            for (int at = 0; at < bytes.length; ) {
                int end = Math.min(bytes.length, at + 1 + random.nextInt(longest));
                out.appendBuffer(translation.chunk(Buffer.buffer().appendBytes(bytes, at, end - at)));
                at = end;
            }
            out.appendBuffer(translation.end());

            assertThat(out.toString()).as("round " + round + " of seed " + seed).isEqualTo(Golden.text(to));
        }
    }

    @Test
    void whatIsKnownIsSentAtOnce() throws BrokenAnswer {
        StreamTranslation translation = toChat();
        String[] events = Golden.text("message-stream.txt").split("(?<=\n\n)");

        assertThat(translation.chunk(Buffer.buffer(events[0])).toString()).contains("\"role\":\"assistant\"");
        translation.chunk(Buffer.buffer(events[1]));
        translation.chunk(Buffer.buffer(events[2]));
        assertThat(translation.chunk(Buffer.buffer(events[3])).toString()).contains("Hm.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"message-stream.txt", "chat-stream.txt"})
    void aStreamThatIsCutIsNeverTakenForComplete(String name) throws BrokenAnswer {
        String[] events = Golden.text(name).split("(?<=\n\n)");
        // The finish reason of a chat says all; its usage and its mark may be missing.
        int needed = name.startsWith("chat") ? events.length - 2 : events.length;
        for (int kept = 0; kept < needed; kept++) {
            StreamTranslation translation = name.startsWith("chat") ? toMessages() : toChat();
            for (int i = 0; i < kept; i++) {
                translation.chunk(Buffer.buffer(events[i]));
            }
            assertThatThrownBy(translation::end).as(kept + " events").isInstanceOf(BrokenAnswer.class);
        }
    }

    private static final String BEGIN =
            "data: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"model\":\"c\",\"content\":[]}}\n\n";
    private static final String TOOL = "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":"
            + "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":%s}}\n\n";
    private static final String PIECE = "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
            + "{\"type\":\"input_json_delta\",\"partial_json\":\"%s\"}}\n\n";
    private static final String BLOCK_END = "data: {\"type\":\"content_block_stop\",\"index\":0}\n\n";
    private static final String END =
            "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"%s\"},\"usage\":{}}\n\n";
    private static final String STOP = "data: {\"type\":\"message_stop\"}\n\n";

    private static String arguments(String chunks) {
        return chunks.lines()
                .filter(line -> line.startsWith("data: {"))
                .map(line -> Json.read(line.substring("data: ".length())))
                .flatMap(chunk -> chunk.path("choices").valueStream())
                .flatMap(choice -> choice.path("delta").path("tool_calls").valueStream())
                .map(call -> call.path("function").path("arguments").asString(""))
                .collect(Collectors.joining());
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = ';',
            value = {"{}; {}", "null; {}", "{\"a\":1}; {\"a\":1}"})
    void aToolWhoseInputDoesNotComeInPiecesHasTheOneItBeganWith(String input, String arguments) throws BrokenAnswer {
        String tool = BEGIN + TOOL.formatted(input);
        String end = END.formatted("tool_use") + STOP;

        assertThat(arguments(whole(toChat(), tool + PIECE.formatted("") + BLOCK_END + end)))
                .isEqualTo(arguments);
        assertThat(arguments(whole(toChat(), tool + BLOCK_END + end))).isEqualTo(arguments);
        assertThat(arguments(whole(toChat(), tool + end))).isEqualTo(arguments);
        assertThat(arguments(whole(toChat(), tool + PIECE.formatted("{}") + BLOCK_END + end)))
                .isEqualTo("{}");
    }

    @Test
    void anAnswerThatCallsAToolEndsForItWhateverTheServerSays() throws BrokenAnswer {
        assertThat(whole(toChat(), BEGIN + TOOL.formatted("{}") + BLOCK_END + END.formatted("end_turn") + STOP))
                .contains("\"finish_reason\":\"tool_calls\"");
        assertThat(whole(
                        toMessages(),
                        "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"t\",\"function\":"
                                + "{\"name\":\"f\",\"arguments\":\"{}\"}}]}}]}\n\n"
                                + "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
                                + "data: [DONE]\n\n"))
                .contains("\"stop_reason\":\"tool_use\"");
    }

    @Test
    void callsThatAreNotNumberedAreToldApartByTheirNameAndId() throws BrokenAnswer {
        String call = "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"id\":\"%s\",\"function\":"
                + "{\"name\":%s,\"arguments\":%s}}]}}]}\n\n";
        String answer = whole(
                toMessages(),
                call.formatted("a", "\"f\"", "\"{\"")
                        + call.formatted("other", "null", "\"}\"")
                        + call.formatted("b", "\"g\"", "{\"a\":1}")
                        + "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n");

        assertThat(answer)
                .contains("\"name\":\"f\"", "\"name\":\"g\"", "\"partial_json\":\"{\\\"a\\\":1}\"")
                .doesNotContain("\"other\"");
        assertThat(answer.split("content_block_stop", -1)).hasSize(1 + 2 * 2);
    }

    @Test
    void aPairOfSurrogatesThatIsCutIsWholeAgainAtTheClient() throws BrokenAnswer {
        String text = "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
                + "{\"type\":\"text_delta\",\"text\":\"%s\"}}\n\n";
        String chunk = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%s\"}}]}\n\n";

        assertThat(whole(
                        toChat(),
                        BEGIN
                                + text.formatted("\\ud83d")
                                + text.formatted("\\ude00")
                                + END.formatted("end_turn")
                                + STOP))
                .contains("\"content\":\"\\uD83D\"", "\"content\":\"\\uDE00\"");
        assertThat(whole(
                        toMessages(),
                        chunk.formatted("\\ud83d") + chunk.formatted("\\ude00")
                                + "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"))
                .contains("\"text\":\"\\uD83D\"", "\"text\":\"\\uDE00\"");
    }

    @Test
    void aStreamWithoutItsStopReasonIsBroken() throws BrokenAnswer {
        StreamTranslation half = toChat();
        half.chunk(Buffer.buffer(BEGIN));

        assertThatThrownBy(() -> half.chunk(Buffer.buffer(STOP))).isInstanceOf(BrokenAnswer.class);
        assertThatThrownBy(half::end).isInstanceOf(BrokenAnswer.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"message-stream.txt", "chat-stream.txt"})
    void nothingFollowsTheEnd(String name) throws BrokenAnswer {
        String whole = Golden.text(name);
        StreamTranslation translation = name.startsWith("chat") ? toMessages() : toChat();
        translation.chunk(Buffer.buffer(whole));

        String after = translation.chunk(Buffer.buffer(": ping\n\n" + whole)).toString();

        assertThat(after + translation.end()).isEmpty();
    }

    @Test
    void anErrorWithinAStreamBreaksItWithItsMessage() {
        assertThatThrownBy(() -> whole(
                        toChat(),
                        "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\","
                                + "\"message\":\"Busy\"}}\n\n"))
                .isInstanceOfSatisfying(
                        BrokenAnswer.class,
                        broken -> assertThat(broken.detail()).isEqualTo("it reported overloaded_error: Busy"));
        assertThatThrownBy(() -> whole(toMessages(), "data: {\"error\":{\"message\":\"Busy\",\"type\":\"x\"}}\n\n"))
                .isInstanceOfSatisfying(
                        BrokenAnswer.class,
                        broken -> assertThat(broken.detail()).isEqualTo("it reported x: Busy"));
    }

    @Test
    void thoughtsThatOnlyTheirProviderCanReadAreNamedInAComment() throws BrokenAnswer {
        String thought = "data: {\"type\":\"content_block_start\",\"index\":7,\"content_block\":"
                + "{\"type\":\"redacted_thinking\",\"data\":\"c2VjcmV0\"}}\n\n"
                + "data: {\"type\":\"content_block_stop\",\"index\":7}\n\n";
        String plain = whole(toChat(), Golden.text("message-stream.txt"));
        String events = Golden.text("message-stream.txt").replaceFirst("event: ping\ndata: [^\n]*\n\n", thought);

        assertThat(whole(toChat(), events)).isEqualTo(plain.replaceFirst(": ping", ": untranslated redacted_thinking"));
    }

    @Test
    void anUnknownEventIsShownAsAComment() throws BrokenAnswer {
        String events = Golden.text("message-stream.txt")
                .replaceFirst("event: ping\ndata: \\{\"type\":\"ping\"}", "event: new\ndata: {\"type\":\"new_thing\"}");

        assertThat(whole(toChat(), events))
                .contains("\n: untranslated new_thing\n\n")
                .doesNotContain(": ping");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "data: nonsense\n\n",
                "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"server_tool_use\"}}\n\n",
                "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"citations_delta\"}}\n\n",
                "data: {\"type\":\"content_block_delta\",\"index\":9,\"delta\":{\"type\":\"input_json_delta\","
                        + "\"partial_json\":\"1\"}}\n\n",
                "data: {\"type\":\"message_start\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}}\n\n",
                "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":7}}\n\n",
                "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"1\","
                        + "\"name\":\"f\",\"input\":\"{}\"}}\n\n",
                "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":[\"a\"]}}\n\n",
                "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"pause_turn\"}}\n\n"
            })
    void eventsWithoutACounterpartBreakTheStream(String event) {
        assertThatThrownBy(() -> toChat().chunk(Buffer.buffer(event))).isInstanceOf(BrokenAnswer.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "data: nonsense\n\n",
                "data: [DONE]\n\n",
                "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"a\"}}]}\n\n",
                "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"odd\"}]}\n\n",
                "data: {\"choices\":{}}\n\n",
                "data: {\"choices\":[null]}\n\n",
                "data: {\"choices\":[{\"index\":0,\"delta\":\"a\"}]}\n\n",
                "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"get\"}},"
                        + "{\"index\":0,\"function\":{\"name\":\"_all\"}}]}}]}\n\n",
                "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":7}}]}\n\n",
                "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":[{\"type\":\"image_url\"}]}}]}\n\n",
                "data: {\"choices\":[{\"index\":0,\"delta\":{\"audio\":{\"data\":\"AAAA\"}}}]}\n\n",
                "data: {\"choices\":[{\"index\":0,\"delta\":{\"function_call\":{\"name\":\"f\"}}}]}\n\n",
                "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"f\"}},"
                        + "{\"index\":0,\"function\":{\"arguments\":\"{\"}}]}}]}\n\n"
            })
    void chunksWithoutACounterpartBreakTheStream(String chunk) {
        assertThatThrownBy(() -> toMessages().chunk(Buffer.buffer(chunk))).isInstanceOf(BrokenAnswer.class);
    }
}
