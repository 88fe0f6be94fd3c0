package dev.sluice.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HangUpTest {
    @Test
    void aSignalFromOutsideRunsTheActionEachTime() throws IOException, InterruptedException {
        CountDownLatch twice = new CountDownLatch(2);
        CountDownLatch once = new CountDownLatch(1);
        assertThat(HangUp.handle(() -> {
                    once.countDown();
                    twice.countDown();
                }))
                .isTrue();

        hangUp();
        assertThat(once.await(30, TimeUnit.SECONDS)).isTrue();
        hangUp();
        assertThat(twice.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private static void hangUp() throws IOException, InterruptedException {
        String pid = Long.toString(ProcessHandle.current().pid());
        assertThat(new ProcessBuilder("kill", "-HUP", pid).start().waitFor()).isZero();
    }
}
