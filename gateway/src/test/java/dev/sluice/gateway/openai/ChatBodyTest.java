package dev.sluice.gateway.openai;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.http.InferenceRequest;
import dev.sluice.gateway.http.Reading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ChatBodyTest {
    private static InferenceRequest read(String body) {
        Reading reading = ChatCompletions.RULES.read(body.getBytes(UTF_8));
        assertThat(reading).isInstanceOf(InferenceRequest.class);
        return (InferenceRequest) reading;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"model\":\"a\",\"messages\":[{}]}",
                "{\"messages\":[{\"model\":\"x\"}],\"model\":\"a\"}",
                " \r\n{ \"messages\" : [ { } ] , \"model\"\t:\n \"a\" } \n",
                "{\"deep\":{\"model\":\"x\",\"list\":[{\"model\":\"y\"}]},\"model\":\"a\",\"messages\":[{}]}",
                "{\"text\":\"\\\"model\\\":\\\"x\\\"\",\"model\":\"a\",\"messages\":[{}]}",
                "{\"\u00e9\u20ac\ud83d\ude00\":\"\u00e9\u20ac\ud83d\ude00\",\"model\":\"a\",\"messages\":[{}]}"
            })
    void theModelIsFoundWhereverItStands(String body) {
        InferenceRequest request = read(body);

        assertThat(request.model()).isEqualTo("a");
        byte[] bytes = body.getBytes(UTF_8);
        assertThat(new String(bytes, request.modelFrom(), request.modelTo() - request.modelFrom(), UTF_8))
                .isEqualTo("\"a\"");
    }

    @Test
    void anEscapedModelIsUnderstoodAndReplacedAsItStands() {
        InferenceRequest request = read("{\"model\":\"\\u0061\\/b\",\"messages\":[{}]}");

        assertThat(request.model()).isEqualTo("a/b");
        assertThat(request.modelTo() - request.modelFrom()).isEqualTo("\"\\u0061\\/b\"".length());
    }

    @Test
    void theModelIsFoundBehindALongBody() {
        String body = "{\"messages\":[{\"content\":\"" + "\u00e9y".repeat(100_000) + "\"}],\"model\":\"a\"}";

        InferenceRequest request = read(body);

        byte[] bytes = body.getBytes(UTF_8);
        assertThat(new String(bytes, request.modelFrom(), request.modelTo() - request.modelFrom(), UTF_8))
                .isEqualTo("\"a\"");
    }

    @Test
    void nullStandsForAFieldThatIsLeftOut() {
        InferenceRequest request = read("{\"model\":\"a\",\"messages\":[{}],\"stream\":null,\"max_tokens\":null,"
                + "\"stop\":null,\"tools\":null,\"temperature\":null,\"user\":null,\"stream_options\":null}");

        assertThat(request.stream()).isFalse();
    }

    @Test
    void aStreamIsRecognised() {
        assertThat(read("{\"model\":\"a\",\"messages\":[{}],\"stream\":true}").stream())
                .isTrue();
        assertThat(read("{\"model\":\"a\",\"messages\":[{}],\"stream\":false}").stream())
                .isFalse();
    }
}
