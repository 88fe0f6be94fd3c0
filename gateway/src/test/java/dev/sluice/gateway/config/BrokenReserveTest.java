package dev.sluice.gateway.config;

import static dev.sluice.gateway.config.Edit.broken;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A reserve that cannot be kept is refused")
class BrokenReserveTest {
    static Stream<Edit> reserves() {
        return Stream.of(
                broken(
                        "a reserve that leaves the other kind nothing",
                        "enabled: true",
                        "reserve: {interactive: 8}",
                        "18: `reserve` keeps 8 and 0 of a capacity of 8: together they may keep all of it, and each must"
                                + " leave the other kind of work a slot"),
                broken(
                        "a reserve of more than there is",
                        "enabled: true",
                        "reserve: {interactive: 5, background: 4}",
                        "18: `reserve` keeps 5 and 4 of a capacity of 8: together they may keep all of it, and each must"
                                + " leave the other kind of work a slot"),
                broken(
                        "a reserve below zero",
                        "enabled: true",
                        "reserve: {background: -1}",
                        "18: `background` must be between 0 and 999999, but is `-1`"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("reserves")
    void saysWhereAndWhy(Edit edit) {
        assertThat(Example.faults(Example.read(edit.yaml()))).isEqualTo(edit.faults());
    }

    @Test
    void aReserveIsRefusedWhereOneStrictLineIsServed() {
        String yaml = Example.FULL
                .replace("enabled: true", "reserve: {interactive: 1}")
                .replace("ordering: work-conserving", "ordering: strict");

        assertThat(Example.faults(Example.read(yaml)))
                .containsExactly("sluice.yaml:58: `queueing` asks for `ordering: strict`, which serves one line;"
                        + " `reserve` needs work-conserving");
    }
}
