package dev.sluice.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A file made to exhaust the reader is refused")
class BoundsTest {

    @Test
    void aFileLargerThanTheBoundIsNotParsed() {
        assertThat(Example.faults(Example.read("#".repeat(YamlText.SIZE_MAX + 1))))
                .containsExactly("sluice.yaml:1: the file is larger than 16MiB");
    }

    @Test
    void deepNestingIsRefusedBeforeItIsBuilt() {
        assertThat(Example.faults(Example.read("a: " + "[".repeat(1_000_000))))
                .containsExactly("sluice.yaml:1: nested deeper than 50 levels");
    }

    @Test
    void aliasesThatMultiplyAreCutOffAtTheBound() {
        StringBuilder yaml = new StringBuilder("providers: &p\n");
        yaml.append("  - &one {id: a, base-url: \"http://a\", capacity: 1}\n");
        yaml.append("  - *one\n".repeat(2_000));
        yaml.append("platforms:\n  - &platform {id: a, providers: *p}\n");
        yaml.append("  - *platform\n".repeat(2_000));

        assertThat(Example.faults(Example.read(yaml.toString())))
                .anySatisfy(
                        fault -> assertThat(fault).endsWith("more than 1000000 list items, aliases counted each time"));
    }

    @Test
    void anAliasOfItselfEnds() {
        assertThat(Example.faults(Example.read("platforms: &p [*p]\n")))
                .contains("sluice.yaml:1: an item of `platforms` must be a mapping of keys and values, but is a list");
    }

    @Test
    void anAliasForAWholeSectionIsFine() {
        String yaml = Example.LEAST.replace("model: llama", "model: llama, concurrency: &c {limit: 4, queue: 8}")
                + "    concurrency: *c\n";

        Configuration read = Example.good(yaml);
        assertThat(read.groups().getFirst().concurrency())
                .isEqualTo(read.models().getFirst().servedBy().getFirst().concurrency());
    }

    @Test
    void aNameThatHoldsALineBreakStaysOnOneLineOfOutput() {
        String yaml = Example.LEAST + "\"a\\nb\": 1\n\"a\\nb\": 2\n\"a\\nc\": 3\n";

        assertThat(Example.faults(Example.read(yaml)))
                .hasSize(3)
                .contains("sluice.yaml:12: duplicate key `a b`, first in line 11")
                .allSatisfy(fault -> assertThat(fault.lines()).hasSize(1));
    }
}
