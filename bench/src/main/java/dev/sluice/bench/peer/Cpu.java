package dev.sluice.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** CPU time and memory of a process and all its descendants, from /proc. */
final class Cpu {
    private static final long MICROS_PER_TICK = 10_000;

    private Cpu() {}

    /** User and system time so far in microseconds; the kernel tells it in hundredths of a second. */
    static long micros(ProcessHandle root) {
        return tree(root).mapToLong(Cpu::ticks).sum() * MICROS_PER_TICK;
    }

    /** Anonymous resident memory in bytes. */
    static long anonymousBytes(ProcessHandle root) {
        return tree(root).mapToLong(Cpu::anonymousOf).sum();
    }

    static Stream<ProcessHandle> tree(ProcessHandle root) {
        return Stream.concat(Stream.of(root), root.descendants());
    }

    private static long ticks(ProcessHandle process) {
        String stat = read(process, "stat");
        // The command's name may hold spaces and brackets; the third field follows its last bracket.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }

    private static long anonymousOf(ProcessHandle process) {
        return read(process, "status")
                .lines()
                .filter(line -> line.startsWith("RssAnon:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                .findFirst()
                .orElse(0);
    }

    private static String read(ProcessHandle process, String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), file));
        } catch (IOException e) {
            throw new IllegalStateException("process " + process.pid() + " is gone", e);
        }
    }
}
