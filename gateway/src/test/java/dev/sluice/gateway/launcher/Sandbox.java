package dev.sluice.gateway.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A source tree with the real launcher in it, and a machine around it that holds only what a test puts there: fake
 * JDKs, a fake Maven, and the few tools that the script uses.
 */
final class Sandbox {
    private static final List<String> TOOLS = List.of(
            "sh",
            "dirname",
            "basename",
            "readlink",
            "sed",
            "tr",
            "sort",
            "find",
            "grep",
            "mkdir",
            "ln",
            "rm",
            "rmdir",
            "touch",
            "sleep",
            "tail",
            "head");

    /** Sources are this old, so that a jar built now is newer. */
    private static final Duration SOURCE_AGE = Duration.ofHours(1);

    final Path machine;
    final Path tree;
    final Path launcher;
    final Path bin;
    final Map<String, String> environment = new HashMap<>();

    Sandbox(Path folder) {
        machine = folder;
        tree = folder.resolve("a tree"); // with a blank, as real paths have
        launcher = tree.resolve("sluice");
        bin = directory(folder.resolve("bin"));
        TOOLS.forEach(tool -> script(bin.resolve(tool), "exec " + onRealPath(tool) + " \"$@\"\n"));
        directory(tree);
        write(launcher, read(Path.of("..", "sluice")));
        executable(launcher);
        source("pom.xml");
        for (String module : modules()) {
            source(module + "/pom.xml");
            source(module + "/src/main/java/Widget.java");
        }
        environment.put("PATH", bin.toString());
        environment.put("HOME", directory(folder.resolve("home")).toString());
        environment.put("SLUICE_JVM_DIRS", "");
    }

    /** The modules that the launcher watches. */
    List<String> modules() {
        Matcher line = Pattern.compile("(?m)^modules='([^']*)'").matcher(read(launcher));
        if (!line.find()) {
            throw new AssertionError("the launcher names no modules");
        }
        return List.of(line.group(1).split(" "));
    }

    /** A JDK that tells what it was asked to run. */
    Path jdk(String name, String version) {
        Path home = directory(machine.resolve(name));
        write(home.resolve("release"), "IMPLEMENTOR=\"Nobody\"\nJAVA_VERSION=\"" + version + "\"\n");
        script(home.resolve("bin/java"), """
                echo "java=$0"
                echo "pid=$$"
                echo "folder=$(pwd -P)"
                for argument; do echo "argument=$argument"; done
                exit "${FAKE_EXIT:-0}"
                """);
        script(home.resolve("bin/javac"), "exit 1\n");
        return home;
    }

    /** A JDK 25 in JAVA_HOME, for the tests that are about something else. */
    Sandbox withJdk() {
        environment.put("JAVA_HOME", jdk("jdk", "25.0.3").toString());
        return this;
    }

    /** A Maven that notes each run and what it was asked, does {@code work}, and makes the jar. */
    Sandbox withMaven(String work) {
        script(bin.resolve("mvn"), """
                echo "$JAVA_HOME $*" >>"%1$s/maven-runs"
                %2$s
                mkdir -p gateway/target/lib
                : >gateway/target/sluice.jar
                """.formatted(machine, work));
        return this;
    }

    List<String> mavenRuns() {
        Path runs = machine.resolve("maven-runs");
        return Files.exists(runs) ? read(runs).lines().toList() : List.of();
    }

    Path source(String name) {
        Path file = tree.resolve(name);
        write(file, "x");
        for (Path path = file; !path.equals(tree); path = path.getParent()) {
            age(path, SOURCE_AGE);
        }
        return file;
    }

    Started start(String... arguments) {
        return start(launcher, machine, arguments);
    }

    Started start(Path program, Path folder, String... arguments) {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        try {
            Path out = Files.createTempFile(machine, "out", "");
            Path err = Files.createTempFile(machine, "err", "");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().clear();
            builder.environment().putAll(environment);
            return new Started(builder.start(), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The launcher at work. */
    record Started(Process process, Path out, Path err) {
        Ended end() {
            try {
                if (!process.waitFor(30, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new AssertionError("still running; said: " + read(err));
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return new Ended(process.pid(), process.exitValue(), read(out), read(err));
        }

        String errors() {
            return read(err);
        }
    }

    record Ended(long pid, int code, String out, String err) {}

    static void age(Path path, Duration age) {
        try {
            Files.setLastModifiedTime(path, FileTime.from(Instant.now().minus(age)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path directory(Path path) {
        try {
            return Files.createDirectories(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void write(Path file, String text) {
        directory(file.getParent());
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void script(Path file, String body) {
        write(file, "#!/bin/sh\n" + body);
        executable(file);
    }

    static void link(Path link, Path target) {
        try {
            Files.createSymbolicLink(link, target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void executable(Path file) {
        try {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path onRealPath(String tool) {
        return List.of("/usr/bin", "/bin").stream()
                .map(folder -> Path.of(folder, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError("this machine has no " + tool));
    }
}
