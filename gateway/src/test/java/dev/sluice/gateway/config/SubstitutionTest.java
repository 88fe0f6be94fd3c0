package dev.sluice.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("References to the environment")
class SubstitutionTest {
    private static final Environment ENVIRONMENT =
            Environment.of(Map.of("HOST", "db", "EMPTY", "", "TRICK", "${ENV:HOST}: {a: b}"));

    @ParameterizedTest(name = "{0} is read as {1}")
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "${ENV:HOST}, db",
                "http://${ENV:HOST}:80/${ENV:HOST}, http://db:80/db",
                "${ENV:HOST:-other}, db",
                "${ENV:NONE:-other}, other",
                "${ENV:NONE:-}, ''",
                "${ENV:EMPTY}, ''",
                "${ENV:EMPTY:-other}, other",
                "${ENV:NONE:-a:-b}, a:-b",
                "no reference, no reference",
                "$HOST and $5, $HOST and $5",
                "$${ENV:HOST}, ${ENV:HOST}",
                "{}, {}",
            })
    void isReplaced(String text, String expected) {
        assertThat(Substitution.replace(text, ENVIRONMENT)).isEqualTo(new Parsed.Good<>(expected));
    }

    @ParameterizedTest(name = "{0} is a fault")
    @CsvSource({"${ENV:NONE}", "${HOST}", "${env:HOST}", "${ENV:}", "${ENV:1A}", "${ENV:HOST", "${ENV:HOST-x}"})
    void isRefused(String text) {
        assertThat(Substitution.replace(text, ENVIRONMENT)).isInstanceOf(Parsed.Bad.class);
    }

    @Test
    void whatTheEnvironmentHoldsIsNeitherSearchedAgainNorReadAsYaml() {
        assertThat(Substitution.replace("${ENV:TRICK}", ENVIRONMENT))
                .isEqualTo(new Parsed.Good<>("${ENV:HOST}: {a: b}"));
    }

    @Test
    void aNumberMayComeFromTheEnvironment() {
        String yaml = Example.LEAST.replace("capacity: 8", "capacity: \"${ENV:CAPACITY}\"");

        Verdict verdict = ConfigurationFile.parse("sluice.yaml", yaml, Environment.of(Map.of("CAPACITY", "12")));

        assertThat(Example.good(verdict)
                        .platforms()
                        .getFirst()
                        .providers()
                        .getFirst()
                        .capacity())
                .isEqualTo(12);
    }

    @Test
    void aFaultShowsTheReferenceAndNotWhatTheEnvironmentHolds() {
        String yaml = Example.LEAST.replace("capacity: 8", "capacity: \"${ENV:CAPACITY}\"");

        Verdict verdict = ConfigurationFile.parse("sluice.yaml", yaml, Environment.of(Map.of("CAPACITY", "hush")));

        assertThat(Example.faults(verdict))
                .containsExactly("sluice.yaml:4: `capacity` must be a whole number, but is `${ENV:CAPACITY}`");
    }
}
