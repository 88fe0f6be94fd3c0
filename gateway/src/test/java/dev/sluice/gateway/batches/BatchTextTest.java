package dev.sluice.gateway.batches;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What a client says of its batch is shown again as it was said, or refused")
class BatchTextTest {
    private static final String PATH = "/v1/chat/completions";
    private static final String ORDER =
            "{\"input_file_id\": \"file-0198c0de00007000a000000000000000\", \"endpoint\": \"" + PATH
                    + "\", \"completion_window\": \"24h\"%s}";

    private static BatchRequest order(String more, Charset encoding) {
        return BatchRequest.read(ORDER.formatted(more).getBytes(encoding), Set.of(PATH));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", \"metadata\": {\"name\": \"\\ud83d\\ude00\", \"nul\": \"\\u0000\"}"})
    void anOrderIsTaken(String more) {
        assertThat(order(more, StandardCharsets.UTF_8)).isInstanceOf(BatchRequest.Good.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ", \"endpoint\": \"/v1/embeddings\"",
                ", \"metadata\": {\"a\": \"one\", \"a\": \"two\"}",
                ", \"metadata\": {\"a\": \"\\ud800\"}",
                ", \"metadata\": {\"\\udc00\": \"a\"}"
            })
    void anOrderThatSaysAFieldTwiceOrHasHalfACharacterIsRefused(String more) {
        assertThat(order(more, StandardCharsets.UTF_8)).isInstanceOf(BatchRequest.Wrong.class);
    }

    @Test
    void anOrderInAnotherEncodingIsRefused() {
        assertThat(order("", StandardCharsets.UTF_16LE)).isInstanceOf(BatchRequest.Wrong.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\ud800", "a\\udc00b", "\\ude00\\ud83d", "\\u0000"})
    void aLineWhoseIdCannotBeWrittenAgainIsAFault(String id) {
        assertThat(line(id))
                .isInstanceOfSatisfying(
                        BatchLine.Broken.class,
                        broken -> assertThat(broken.fault().param()).contains("custom_id"));
    }

    @Test
    void aLineWithAnyOtherIdIsTaken() {
        assertThat(line("\\ud83d\\ude00"))
                .isInstanceOfSatisfying(
                        BatchLine.Request.class,
                        request -> assertThat(request.customId()).isEqualTo("\ud83d\ude00"));
    }

    private static BatchLine line(String id) {
        String text = "{\"custom_id\": \"" + id + "\", \"method\": \"POST\", \"url\": \"" + PATH + "\", \"body\": {}}";
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return BatchLine.read(new LineReader.Line(1, bytes.length, bytes, false), PATH, 1_000);
    }
}
