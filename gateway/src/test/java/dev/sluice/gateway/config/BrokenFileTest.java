package dev.sluice.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A file is told of as a whole: all its faults in order, and whether it is a configuration at all")
class BrokenFileTest {
    @Test
    void allFaultsOfAFileAreToldInTheOrderOfTheirLines() {
        String yaml = Example.FULL
                .replace("drain: 30s", "drain: never")
                .replace("limit: 10,", "limit: ten,")
                .replace("listen: 127.0.0.1:8080", "listen: here");

        assertThat(Example.faults(Example.read(yaml)))
                .extracting(fault -> fault.split(" ", 2)[0])
                .containsExactly("sluice.yaml:1:", "sluice.yaml:49:", "sluice.yaml:69:");
    }

    @Test
    void aFileOfFaultsEndsAtABoundOfFaults() {
        String yaml = "listen: x\n".repeat(10 * Faults.COUNT_MAX);

        assertThat(Example.faults(Example.read(yaml))).hasSize(Faults.COUNT_MAX);
    }

    @Test
    void whatIsNoConfigurationAtAllIsToldAsSuch() {
        assertThat(Example.faults(Example.read(""))).containsExactly("sluice.yaml:1: the file is empty");
        assertThat(Example.faults(Example.read("# nothing\n"))).containsExactly("sluice.yaml:1: the file is empty");
        assertThat(Example.faults(Example.read("just words")))
                .containsExactly("sluice.yaml:1: the file must be a mapping of keys and values, but is a single value");
        assertThat(Example.faults(Example.read("listen: a\n\tadmin: b\n")))
                .singleElement()
                .asString()
                .startsWith("sluice.yaml:2: not valid YAML: ");
        assertThat(Example.faults(Example.read("{}\n---\n{}\n")))
                .singleElement()
                .asString()
                .startsWith("sluice.yaml:2: not valid YAML: ");
        assertThat(Example.faults(Example.read("listen: *nowhere\n")))
                .singleElement()
                .asString()
                .startsWith("sluice.yaml:1: not valid YAML: ");
        assertThat(Example.faults(Example.read("listen: a\nadmin: \u0007\n")))
                .containsExactly("sluice.yaml:2: a character that YAML does not allow");
    }

    @Test
    void bytesThatAreNoUtf8AreToldByLine() {
        byte[] latin1 = "listen: a\n# caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1);

        assertThat(Example.faults(ConfigurationFile.parse("sluice.yaml", latin1, Example.ENVIRONMENT)))
                .containsExactly("sluice.yaml:2: not UTF-8");
    }

    @Test
    void aByteOrderMarkIsSkipped() {
        assertThat(Example.good("\uFEFF" + Example.LEAST)).isEqualTo(Example.good(Example.LEAST));
    }
}
