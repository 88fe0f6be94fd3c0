package dev.sluice.gateway.responses;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.http.InferenceRequest;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The input of a request")
final class EarlierTest {
    private static final String HI =
            "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"hi\"}]}";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``              | `"hi"`        | `[HI]`
            `{"a":1}`       | `"hi"`        | `[{"a":1},HI]`
            `{"a":1}`       | `[ ]`         | `[{"a":1} ]`
            ``              | `[]`          | `[]`
            `{"a":1}`       | `[{"b":[]}]`  | `[{"a":1},{"b":[]}]`
            """)
    void standsBehindTheItemsBeforeItAndTheModelIsStillFound(String before, String input, String joined) {
        for (String template : new String[] {"{\"input\":%s,\"model\":\"m\"}", "{\"model\" : \"m\", \"input\" : %s}"}) {
            byte[] body = template.formatted(input).getBytes(UTF_8);
            var request = (InferenceRequest) Responses.RULES.read(body);
            RequestFields fields = RequestFields.of(body);

            byte[] items = Earlier.joined(before.getBytes(UTF_8), fields.items(body));
            InferenceRequest whole = fields.toUpstream(request, Optional.of(items));

            assertThat(new String(items, UTF_8)).isEqualTo(joined.replace("HI", HI));
            assertThat(new String(whole.body(), UTF_8))
                    .isEqualTo(template.formatted(joined.replace("HI", HI)).replaceFirst("\\{", "{\"store\":false,"));
            assertThat(new String(whole.body(), whole.modelFrom(), whole.modelTo() - whole.modelFrom(), UTF_8))
                    .isEqualTo("\"m\"");
        }
    }
}
