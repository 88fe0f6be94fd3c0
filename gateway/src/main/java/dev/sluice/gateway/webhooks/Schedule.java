package dev.sluice.gateway.webhooks;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** When a message that was not taken is sent again. */
final class Schedule {
    private static final double JITTER = 0.2;
    private static final List<Duration> DELAYS = List.of(
            Duration.ofSeconds(5),
            Duration.ofMinutes(1),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofHours(1),
            Duration.ofHours(2),
            Duration.ofHours(4));

    /** How often a message is sent at most. */
    static final int ATTEMPTS = DELAYS.size() + 1;

    private Schedule() {}

    /**
     * @param attempt the one that failed, from 1
     * @param random from 0 to 1: what failed together must not come back together
     * @return empty after the last one
     */
    static Optional<Duration> after(int attempt, double random) {
        if (attempt >= ATTEMPTS) {
            return Optional.empty();
        }
        double factor = 1 + JITTER * (2 * random - 1);
        return Optional.of(Duration.ofMillis(Math.round(DELAYS.get(attempt - 1).toMillis() * factor)));
    }
}
