package dev.sluice.postgres.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** The server's log files: what it said during one attempt to start, and the removal of old ones. */
final class ServerLog {
    static final String FILE_NAME = "postgres-%a.log";

    private static final int TAIL_LINES = 12;
    private static final Pattern ENDINGS = Pattern.compile("(FATAL|PANIC): ");

    private final Path folder;
    private final Map<Path, Long> before = new HashMap<>();

    private ServerLog(Path folder) {
        this.folder = folder;
    }

    /** Remembers where the files end now. */
    static ServerLog from(Path folder) throws IOException {
        var log = new ServerLog(folder);
        for (var file : log.files()) {
            log.before.put(file, Files.size(file));
        }
        return log;
    }

    /** What the server takes for its standard output until it has opened its log. */
    static Path ofStart(Path folder) {
        return folder.resolve("start.log");
    }

    /**
     * The last lines that a server wrote which did not come up. Its collector is a process of its own and may write
     * them only after the server's end, so the line that tells the cause is waited for, 3 s at most.
     */
    String lastWords() throws IOException {
        var words = since();
        for (int i = 0; i < 60 && !ENDINGS.matcher(words).find(); i++) {
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            words = since();
        }
        var lines = words.lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    }

    private String since() throws IOException {
        var text = new StringBuilder();
        for (var file : files()) {
            try (var in = Files.newInputStream(file)) {
                in.skipNBytes(Math.min(before.getOrDefault(file, 0L), Files.size(file)));
                text.append(new String(in.readAllBytes(), UTF_8));
            }
        }
        return text.toString();
    }

    private List<Path> files() throws IOException {
        try (var found = Files.list(folder)) {
            return found.filter(file -> file.toString().endsWith(".log"))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Removes the files of past weeks: the server empties a weekday's file only if it runs at that midnight, and else
     * appends to it.
     */
    static void removeOld(Path folder, Commands commands, Identity identity) throws IOException {
        commands.mustRun(
                identity,
                List.of(
                        "find",
                        folder.toString(),
                        "-name",
                        "postgres-*.log",
                        "-mtime",
                        "+6",
                        "-exec",
                        "rm",
                        "-f",
                        "{}",
                        ";"));
    }
}
