package dev.sluice.postgres.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A running {@link ChildMain}, in a process group of its own. */
final class Child implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;
    private final List<String> seen = new ArrayList<>();

    private Child(Process process) {
        this.process = process;
        this.output = process.inputReader(UTF_8);
    }

    static Child in(Path home, String... user) {
        return start(List.of(), System.getProperty("java.class.path"), home, user);
    }

    /** @param prefix a program that runs the rest of the command, setpriv for example */
    static Child start(List<String> prefix, String classPath, Path home, String... user) {
        var command = new ArrayList<>(List.of("setsid"));
        command.addAll(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath));
        command.add(ChildMain.class.getName());
        command.add(home.toString());
        command.addAll(List.of(user));
        try {
            return new Child(
                    new ProcessBuilder(command).redirectErrorStream(true).start());
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    long pid() {
        return process.pid();
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    /** The rest of the next line that starts with {@code word}. */
    String next(String word) {
        try {
            for (var line = output.readLine(); line != null; line = output.readLine()) {
                seen.add(line);
                if (line.startsWith(word + " ") || line.equals(word)) {
                    return line.substring(word.length()).strip();
                }
            }
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
        throw new AssertionError("no line '" + word + "' in:\n" + String.join("\n", seen));
    }

    List<String> seen() {
        return seen;
    }

    /** Ends as if all were well. */
    void quit() throws Exception {
        process.getOutputStream().close();
        next("closed");
        process.waitFor();
    }

    /** Ends without a chance to clean up, as does {@code kill -9}. */
    void killHard() throws Exception {
        process.destroyForcibly();
        process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
