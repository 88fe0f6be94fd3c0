package dev.sluice.gateway.chaos;

import dev.sluice.gateway.chaos.Chaos.Trouble;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Run by name, for as many {@code -Dchaos.seconds} as wished. */
@DisplayName("Three gateways on one database under two minutes of kills, pauses, cuts, restarts and crashes")
final class ChaosSoak {
    private static final int CLIENTS = 40;

    private final long seed = Long.getLong("chaos.seed", System.nanoTime());
    private final Duration time = Duration.ofSeconds(Long.getLong("chaos.seconds", 120));

    @Test
    @DisplayName("never exceed a limit, lose no request without a word, and leak nothing")
    void nothingIsExceededLostOrLeaked() throws Exception {
        System.out.println("ChaosSoak plays -Dchaos.seed=" + seed);
        try (Chaos chaos = new Chaos(seed)) {
            chaos.start(CLIENTS);
            long end = System.nanoTime() + time.toNanos();
            for (Trouble each : Trouble.values()) {
                chaos.make(each);
            }
            while (System.nanoTime() < end) {
                chaos.makeAny();
            }
            chaos.calm();
        }
    }
}
