package dev.sluice.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReminderTest {
    @Test
    void aStepThatTakesLongIsToldOfUntilItIsOver() throws InterruptedException {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();

        try (var _ = Reminder.of("still at it", told::add, Duration.ofMillis(1))) {
            assertThat(List.of(told.take(), told.take())).containsOnly("still at it");
        }

        // One may be on its way while the step ends.
        while (told.poll(50, TimeUnit.MILLISECONDS) != null) {
            assertThat(told).hasSizeLessThan(1_000);
        }
        assertThat(told).isEmpty();
    }

    @Test
    void aStepThatIsQuickIsNot() {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();

        Reminder.of("still at it", told::add, Duration.ofHours(1)).close();

        assertThat(told).isEmpty();
    }
}
