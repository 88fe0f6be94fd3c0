package dev.sluice.bench.peer;

import dev.sluice.bench.process.Cpu;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** What a gateway holds in memory. */
sealed interface Memory {
    long bytes();

    static Memory of(Running gateway) {
        Optional<ProcessHandle> jvm = Cpu.tree(gateway.handle())
                .filter(process -> process.info().command().orElse("").endsWith("/java"))
                .findFirst();
        return jvm.<Memory>map(process -> new LiveHeap(process.pid())).orElse(new Anonymous(gateway.handle()));
    }

    /** Live objects of a JVM: the histogram collects garbage first. */
    record LiveHeap(long pid) implements Memory {
        @Override
        public long bytes() {
            try {
                Process jcmd = new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                        .toString(),
                                Long.toString(pid),
                                "GC.class_histogram")
                        .redirectErrorStream(true)
                        .start();
                String text = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                String total = text.lines()
                        .filter(line -> line.startsWith("Total"))
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("no histogram: " + text));
                return Long.parseLong(total.trim().split("\\s+")[2]);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Anonymous resident memory of a program without a heap to ask. */
    record Anonymous(ProcessHandle process) implements Memory {
        @Override
        public long bytes() {
            return Cpu.anonymousBytes(process);
        }
    }
}
