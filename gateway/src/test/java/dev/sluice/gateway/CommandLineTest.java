package dev.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.DisplayName;
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
