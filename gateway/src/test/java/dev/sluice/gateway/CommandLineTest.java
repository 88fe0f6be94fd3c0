package dev.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The command line")
class CommandLineTest {
    @ParameterizedTest
    @ValueSource(strings = {"help", "--help", "-h"})
    void namesItsCommandsToWhoeverAsksForHelp(String asked) {
        var out = new StringWriter();

        int code = Main.commandLine().setOut(new PrintWriter(out)).execute(asked);

        assertThat(code).isZero();
        assertThat(out.toString()).contains("serve", "check", "key");
    }

    @Test
    void saysEachLineAtOnce() {
        PrintStream before = System.out;
        var seen = new ByteArrayOutputStream();
        System.setOut(new PrintStream(seen, true, StandardCharsets.UTF_8));
        try {
            Main.commandLine().getOut().println("Creating the database…");
        } finally {
            System.setOut(before);
        }

        assertThat(seen.toString(StandardCharsets.UTF_8)).isEqualTo("Creating the database…\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "start", "--verbose"})
    void refusesWhatIsNoCommandOnStandardErrorWithCode2(String wrong) {
        var out = new StringWriter();
        var err = new StringWriter();
        String[] arguments = wrong.isEmpty() ? new String[0] : new String[] {wrong};

        int code = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);

        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).isNotBlank().contains(wrong);
        assertThat(out.toString()).isEmpty();
    }
}
