package dev.sluice.gateway.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A message that was not taken")
class ScheduleTest {
    @Test
    void isSentEightTimesOverSomeHours() {
        List<Long> seconds = IntStream.rangeClosed(1, Schedule.ATTEMPTS - 1)
                .mapToObj(attempt -> Schedule.after(attempt, 0.5).orElseThrow().toSeconds())
                .toList();

        assertThat(seconds).containsExactly(5L, 60L, 300L, 1_800L, 3_600L, 7_200L, 14_400L);
        assertThat(Schedule.after(Schedule.ATTEMPTS, 0.5)).isEmpty();
    }

    @Test
    void comesBackAFifthSoonerOrLaterThanItsLike() {
        assertThat(Schedule.after(2, 0)).isEqualTo(Optional.of(Duration.ofSeconds(48)));
        assertThat(Schedule.after(2, 1)).isEqualTo(Optional.of(Duration.ofSeconds(72)));
    }
}
