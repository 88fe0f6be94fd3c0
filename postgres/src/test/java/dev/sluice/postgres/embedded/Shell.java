package dev.sluice.postgres.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs a program of the machine that has to succeed. */
final class Shell {
    private Shell() {}

    static String run(String... command) {
        try {
            var process = new ProcessBuilder(List.of(command))
                    .redirectErrorStream(true)
                    .start();
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError(String.join(" ", command) + ": " + output);
            }
            return output;
        } catch (IOException | InterruptedException failed) {
            throw new AssertionError(failed);
        }
    }

    static void kill(String signal, long pid) {
        run("kill", "-" + signal, "--", Long.toString(pid));
    }
}
