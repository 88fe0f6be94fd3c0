package dev.sluice.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** CPU time and memory of a process and all its descendants, from /proc. */
public final class Cpu {
    private static final long MICROS_PER_TICK = 10_000;

    private Cpu() {}

    /** User and system time so far in microseconds; the kernel tells it in hundredths of a second. */
    public static long micros(ProcessHandle root) {
        return tree(root).mapToLong(Cpu::ticks).sum() * MICROS_PER_TICK;
    }

    /** As {@link #micros}, with what the root's ended and awaited children used: for a server that forks. */
    public static long microsWithReaped(ProcessHandle root) {
        return micros(root) + sum(root, 13, 14) * MICROS_PER_TICK;
    }

    /** Anonymous resident memory in bytes. */
    public static long anonymousBytes(ProcessHandle root) {
        return tree(root).mapToLong(Cpu::anonymousOf).sum();
    }

    public static Stream<ProcessHandle> tree(ProcessHandle root) {
        return Stream.concat(Stream.of(root), root.descendants());
    }

    private static long ticks(ProcessHandle process) {
        return sum(process, 11, 12);
    }

    /** Two fields of the status line, counted from the third: the second, the name, may hold spaces and brackets. */
    private static long sum(ProcessHandle process, int one, int other) {
        return read(process, "stat")
                .map(line -> line.substring(line.lastIndexOf(')') + 2).split(" "))
                .map(fields -> Long.parseLong(fields[one]) + Long.parseLong(fields[other]))
                .orElse(0L);
    }

    private static long anonymousOf(ProcessHandle process) {
        return read(process, "status").stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith("RssAnon:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                .findFirst()
                .orElse(0);
    }

    /** Empty for a process that has ended since it was listed: its parent has what it used. */
    private static Optional<String> read(ProcessHandle process, String file) {
        try {
            return Optional.of(Files.readString(Path.of("/proc", Long.toString(process.pid()), file)));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }
}
