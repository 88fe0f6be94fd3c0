package dev.sluice.gateway.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskJsonTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "a \"quoted\" \\ one", "tab\tand\u0001", "höher, 高い"})
    void headersComeBackAsTheyWereKept(String value) {
        Map<String, String> headers = Map.of("user-agent", value, "accept", "*/*", "openai-beta", value);

        assertThat(TaskJson.headers(TaskJson.headers(headers))).isEqualTo(headers);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{ \"accept\" : \"text/plain\" }"})
    void headersThatAnEarlierVersionKeptAreRead(String kept) {
        assertThat(TaskJson.headers(kept)).isEqualTo(kept.length() == 2 ? Map.of() : Map.of("accept", "text/plain"));
    }
}
