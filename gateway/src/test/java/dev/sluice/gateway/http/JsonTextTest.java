package dev.sluice.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("JSON of an upstream is put into other JSON as it is only if it is UTF-8")
final class JsonTextTest {
    @ParameterizedTest
    @ValueSource(strings = {"{}", " [1]", "7", "\"ü\"", "\r\n{\"a\": null}\n"})
    void oneValueIsJson(String text) {
        assertThat(JsonText.isOneValue(text.getBytes(UTF_8))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "x", "{} {}", "{", "\ufeff{}", "\u0000"})
    void anythingElseIsNot(String text) {
        assertThat(JsonText.isOneValue(text.getBytes(UTF_8))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UTF-16",
                "UTF-16LE",
                "UTF-16BE",
                "X-UTF-16LE-BOM",
                "UTF-32",
                "UTF-32LE",
                "UTF-32BE",
                "X-UTF-32BE-BOM"
            })
    void noWiderEncodingIsTakenForUtf8(String encoding) {
        for (String text : new String[] {"{}", "7", " {\"a\":1}", "\n[]"}) {
            byte[] bytes = text.getBytes(Charset.forName(encoding));
            assertThat(JsonText.isUtf8(bytes)).as(text).isFalse();
            assertThat(JsonText.isOneValue(bytes)).as(text).isFalse();
        }
    }

    @Test
    void bytesThatAreNotUtf8AreNoValue() {
        assertThat(JsonText.isOneValue(new byte[] {'"', (byte) 0xe9, '"'})).isFalse();
    }
}
