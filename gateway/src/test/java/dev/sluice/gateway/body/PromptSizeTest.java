package dev.sluice.gateway.body;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import dev.sluice.gateway.http.Api.Size;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class PromptSizeTest {
    private static final PromptSize CHAT = PromptSize.ofTexts("messages", "tools", "functions");
    private static final PromptSize SEQUENCES = PromptSize.ofSequences("prompt");
    private static final List<String> PIECES = List.of(
            "word",
            "a",
            "Don't",
            "HTTPServer",
            "naïve",
            "日本語",
            "😀",
            "12345",
            "  ",
            "\n",
            "\t",
            "...",
            "foo_bar",
            "x=y;",
            "über",
            "don\u2019t",
            "ANDand",
            "e.g.",
            "1st",
            "-->",
            "Straße",
            "\r\n",
            "a b c");

    private static byte[] body(String text) {
        return ("{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":"
                        + JsonMapper.shared().writeValueAsString(text) + "}]}")
                .getBytes(UTF_8);
    }

    @Test
    void aBodySmallerThanTheThresholdIsNeverLookedAt() {
        assertThat(CHAT.of(body("y".repeat(50)), 500)).isEqualTo(Size.SHORT);
        assertThat(CHAT.of(body("y".repeat(5_000)), 0)).as("0 = never").isEqualTo(Size.SHORT);
        assertThat(CHAT.of(body("y".repeat(5_000)), 500)).isInstanceOf(Size.Count.class);
    }

    /** In one piece this takes minutes and gigabytes. */
    @Test
    void aLongRunWithoutABreakIsCountedInPiecesAndNoFurtherThanNeeded() {
        assertThat(CHAT.isLong(body("a".repeat(3_000_000)), 16_000)).isTrue();
        assertThat(CHAT.isLong(body("\ud83d\ude00".repeat(500)), 100_000)).isFalse();
    }

    @Test
    void piecesEndBeforeASpaceOrBetweenCharacters() {
        String words = "word ".repeat(1_000);
        assertThat(words.charAt(PromptSize.pieceEnd(words, 0))).isEqualTo(' ');
        String faces = "a" + "\ud83d\ude00".repeat(1_000);
        assertThat(Character.isHighSurrogate(faces.charAt(PromptSize.pieceEnd(faces, 0))))
                .isTrue();
        assertThat(PromptSize.pieceEnd("short", 0)).isEqualTo(5);
    }

    @Test
    void aboveBelowAndAtTheThreshold() {
        Encoding vocabulary = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
        String text = "The keeper counts the boats that wait at the gate, one by one. ".repeat(100);
        // Role and message overhead count as the gateway counts them.
        int tokens = vocabulary.countTokensOrdinary(text) + vocabulary.countTokensOrdinary("user") + 4;

        assertThat(CHAT.isLong(body(text), tokens)).isTrue();
        assertThat(CHAT.isLong(body(text), tokens + 1)).isFalse();
        assertThat(CHAT.isLong(body(text), 100)).isTrue();
        assertThat(CHAT.isLong(body(text), 100_000)).isFalse();
    }

    @Test
    void theBoundsHoldForEveryText() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        Encoding vocabulary = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
        for (int round = 0; round < 500; round++) {
            StringBuilder text = new StringBuilder();
            int pieces = random.nextInt(60);
            for (int i = 0; i < pieces; i++) {
                text.append(PIECES.get(random.nextInt(PIECES.size())));
                text.append(random.nextBoolean() ? " " : "");
            }
            int tokens = vocabulary.countTokensOrdinary(text.toString());

            assertThat(PromptSize.words(text)).as("words of '%s'", text).isLessThanOrEqualTo(tokens);
            assertThat(text.toString().getBytes(UTF_8).length).isGreaterThanOrEqualTo(tokens);
        }
    }

    @Test
    void mediaDoNotCountAsText() {
        byte[] image =
                ("{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":"
                                + "{\"url\":\"data:image/png;base64," + "QUJD ".repeat(20_000) + "\"}}]}]}")
                        .getBytes(UTF_8);

        assertThat(CHAT.isLong(image, 1_000)).isFalse();
    }

    @Test
    void toolsCountAsText() {
        byte[] tools =
                ("{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"tools\":[{\"type\":\"function\","
                                + "\"function\":{\"description\":\"" + "word ".repeat(2_000) + "\"}}]}")
                        .getBytes(UTF_8);

        assertThat(CHAT.isLong(tools, 1_000)).isTrue();
    }

    private static boolean prompt(String json, int threshold) {
        return SEQUENCES.isLong(
                ("{\"model\":\"m\",\"max_tokens\":7,\"prompt\":" + json + "}").getBytes(UTF_8), threshold);
    }

    @Test
    void eachTokenOfATokenArrayCountsAsOne() {
        assertThat(prompt("[1, 22, 333, 4444]", 4)).isTrue();
        assertThat(prompt("[1, 22, 333, 4444]", 5)).isFalse();
        assertThat(prompt("[[1, 22], [333, 4444]]", 4)).isTrue();
        assertThat(prompt("[[1, 22], [333, 4444]]", 5)).isFalse();
    }

    @Test
    void textsOfOneRequestCountTogether() {
        assertThat(prompt("\"a b c\"", 3)).isTrue();
        assertThat(prompt("\"a b c\"", 4)).isFalse();
        assertThat(prompt("[\"a b c\", \"d e\"]", 5)).isTrue();
        assertThat(prompt("[\"a b c\", \"d e\"]", 6)).isFalse();
    }

    @Test
    void numbersInToolsAndMessagesAreNoTokens() {
        byte[] body = "{\"messages\":[{\"a\":[1,2,3,4,5,6,7,8,9]}],\"tools\":[{\"b\":[1,2,3]}]}".getBytes(UTF_8);

        assertThat(CHAT.isLong(body, 4)).as("what a message adds").isTrue();
        assertThat(CHAT.isLong(body, 5)).isFalse();
    }
}
