package dev.sluice.gateway.upstream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.config.Upstream.Simulated;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class SimulatedUpstreamTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1_700_000_000));
    private static final String HELLO =
            "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hello there\"}]%s}";

    private static SimulatedUpstream upstream(long seed, double failureRate, int tokensPerChunk) {
        return new SimulatedUpstream(
                new Simulated(Duration.ofMillis(100), 50, 0.1, failureRate, tokensPerChunk, seed, OptionalInt.empty()),
                CLOCK);
    }

    private static SimulatedScript play(SimulatedUpstream upstream, String extra) {
        return upstream.script("/v1/chat/completions", HELLO.formatted(extra).getBytes(UTF_8));
    }

    private static String text(SimulatedScript script) {
        return script.pieces().stream()
                .map(piece -> piece.bytes().toString(UTF_8))
                .collect(Collectors.joining());
    }

    private static JsonNode whole(String extra) {
        return JsonMapper.shared().readTree(text(play(upstream(1, 0, 1), extra)));
    }

    @Test
    void theSameSeedAndRequestGiveTheSameAnswerAtTheSamePace() {
        SimulatedScript one = play(upstream(7, 0, 1), ",\"stream\":true");
        SimulatedScript two = play(upstream(7, 0, 1), ",\"stream\":true");

        assertThat(text(one)).isEqualTo(text(two));
        assertThat(one.pieces())
                .extracting(SimulatedScript.Piece::at)
                .isEqualTo(two.pieces().stream().map(SimulatedScript.Piece::at).toList());
        assertThat(text(play(upstream(8, 0, 1), ",\"stream\":true"))).isNotEqualTo(text(one));
    }

    @Test
    void theFirstTokenAndThePaceFollowTheSettings() {
        SimulatedScript script = play(upstream(1, 0, 1), ",\"stream\":true,\"max_tokens\":200,\"ignore_eos\":true");

        assertThat(script.head()).isBetween(90_000L, 110_000L);
        long last = script.pieces().getLast().at();
        assertThat(last - script.head()).isBetween(3_700_000L, 4_300_000L);
    }

    @Test
    void usageCountsTheTokensThatWereSent() {
        JsonNode answer = whole(",\"max_tokens\":5,\"ignore_eos\":true");

        assertThat(answer.path("usage").path("completion_tokens").asInt()).isEqualTo(5);
        assertThat(answer.path("usage").path("prompt_tokens").asInt()).isEqualTo(3);
        assertThat(answer.path("usage").path("total_tokens").asInt()).isEqualTo(8);
        JsonNode choice = answer.path("choices").get(0);
        assertThat(choice.path("finish_reason").asString()).isEqualTo("length");
        assertThat(choice.path("message").path("content").asString().split(" ")).hasSize(5);
    }

    @Test
    void maxCompletionTokensComesFirst() {
        assertThat(whole(",\"max_tokens\":9,\"max_completion_tokens\":2")
                        .path("usage")
                        .path("completion_tokens")
                        .asInt())
                .isEqualTo(2);
    }

    @Test
    void theTextEndsBeforeAStopSequence() {
        String full =
                whole("").path("choices").get(0).path("message").path("content").asString();
        String stop = full.split(" ")[3];

        JsonNode cut = JsonMapper.shared()
                .readTree(text(
                        new SimulatedUpstream(new Simulated(Duration.ZERO, 50, 0, 0, 1, 1, OptionalInt.empty()), CLOCK)
                                .script(
                                        "/v1/chat/completions",
                                        HELLO.formatted(",\"stop\":[\" \"]").getBytes(UTF_8))));

        assertThat(stop).isNotEmpty();
        assertThat(cut.path("choices").get(0).path("message").path("content").asString())
                .doesNotContain(" ");
        assertThat(cut.path("choices").get(0).path("finish_reason").asString()).isEqualTo("stop");
    }

    @Test
    void aStreamHasRoleTokensFinishUsageAndDone() {
        String stream = text(play(
                upstream(1, 0, 2),
                ",\"stream\":true,\"max_tokens\":5,\"ignore_eos\":true,\"stream_options\":{\"include_usage\":true}"));

        String[] events = stream.split("\n\n");
        assertThat(events).hasSize(1 + 3 + 1 + 1 + 1);
        assertThat(events[0]).startsWith("data: {").contains("\"role\":\"assistant\"", "\"usage\":null");
        assertThat(events[1]).contains("\"content\":");
        assertThat(events[4]).contains("\"finish_reason\":\"length\"");
        assertThat(events[5]).contains("\"choices\":[]", "\"completion_tokens\":5");
        assertThat(events[6]).isEqualTo("data: [DONE]");
    }

    @Test
    void withoutBeingAskedForAStreamHasNoUsage() {
        assertThat(text(play(upstream(1, 0, 1), ",\"stream\":true")))
                .doesNotContain("usage")
                .endsWith("data: [DONE]\n\n");
    }

    @Test
    void aShareOfTheRequestsFails() {
        SimulatedUpstream upstream = upstream(3, 0.25, 1);

        long failed = IntStream.range(0, 1_000)
                .filter(i -> play(upstream, "").status() == 500)
                .count();

        assertThat(failed).isBetween(200L, 300L);
        assertThat(play(upstream(3, 0, 1), "").status()).isEqualTo(200);
        assertThat(play(upstream(3, 1, 1), "").status()).isEqualTo(500);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ,"max_tokens":0                | max_tokens
            ,"max_tokens":"5"              | max_tokens
            ,"max_completion_tokens":1.5   | max_completion_tokens
            ,"stream":1                    | stream
            ,"stop":7                      | stop
            ,"stop":["a","b","c","d","e"]  | stop
            ,"stop":""                     | stop
            ,"n":2                         | n
            """)
    void badValuesAreRefusedByName(String extra, String param) {
        SimulatedScript script = play(upstream(1, 0, 1), extra);

        assertThat(script.status()).isEqualTo(400);
        assertThat(text(script)).contains("\"param\":\"" + param + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "[]", "{}", "{\"model\":\"m\"}", "{\"model\":\"m\",\"messages\":[{}]}"})
    void whatIsNoChatIsRefused(String body) {
        assertThat(upstream(1, 0, 1)
                        .script("/v1/chat/completions", body.getBytes(UTF_8))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void otherPathsAreUnknown() {
        assertThat(upstream(1, 0, 1)
                        .script("/v1/images", HELLO.formatted("").getBytes(UTF_8))
                        .status())
                .isEqualTo(404);
    }
}
