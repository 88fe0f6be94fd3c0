package dev.sluice.gateway.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.telemetry.Outcomes.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class OutcomesTest {
    private final Outcomes outcomes = new Outcomes();

    @Test
    void theLastThousandAreKnownAndNoneBefore() {
        IntStream.rangeClosed(1, 1_001).forEach(i -> outcomes.note(outcome(i, i, 200)));

        assertThat(outcomes.find(new UUID(0, 1))).isEmpty();
        assertThat(outcomes.find(new UUID(0, 2))).contains(outcome(2, 2, 200));
        assertThat(outcomes.find(new UUID(0, 1_001))).contains(outcome(1_001, 1_001, 200));
    }

    @Test
    void ofTwoConnectionsOfOneTaskTheLaterOneCounts() {
        outcomes.note(outcome(7, 1, 409));
        outcomes.note(outcome(7, 2, 200));

        assertThat(outcomes.find(new UUID(0, 7))).contains(outcome(7, 2, 200));
    }

    private static Outcome outcome(long task, long ended, int status) {
        return new Outcome(
                new UUID(0, task),
                "/v1/chat/completions",
                "chat",
                "research",
                status,
                "",
                "p1",
                Duration.ZERO,
                Instant.ofEpochSecond(ended));
    }
}
