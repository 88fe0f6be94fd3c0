package dev.sluice.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessSignalTest {
    private final CountDownLatch once = new CountDownLatch(1);
    private final CountDownLatch twice = new CountDownLatch(2);

    @Test
    void aSignalFromOutsideRunsTheActionEachTimeUnlessTheProcessIgnoresIt() throws IOException, InterruptedException {
        boolean handled = ProcessSignal.handle("HUP", () -> {
            once.countDown();
            twice.countDown();
        });

        assertThat(handled).isEqualTo(!ignored());
        if (handled) {
            hangUp();
            assertThat(once.await(30, TimeUnit.SECONDS)).isTrue();
            hangUp();
            assertThat(twice.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Whether this process was started under nohup or the like: bit 0 of SigIgn is signal 1. */
    private static boolean ignored() throws IOException {
        String mask = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .findFirst()
                .orElseThrow();
        return (Long.parseUnsignedLong(mask.substring(7).strip(), 16) & 1) == 1;
    }

    private static void hangUp() throws IOException, InterruptedException {
        String pid = Long.toString(ProcessHandle.current().pid());
        assertThat(new ProcessBuilder("kill", "-HUP", pid).start().waitFor()).isZero();
    }
}
