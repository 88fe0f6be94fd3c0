package dev.sluice.gateway.translation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.util.SplittableRandom;
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
                "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"f\"}},"
                        + "{\"index\":0,\"function\":{\"arguments\":\"{\"}}]}}]}\n\n"
            })
    void chunksWithoutACounterpartBreakTheStream(String chunk) {
        assertThatThrownBy(() -> toMessages().chunk(Buffer.buffer(chunk))).isInstanceOf(BrokenAnswer.class);
    }
}
