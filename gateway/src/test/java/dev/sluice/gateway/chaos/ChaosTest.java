package dev.sluice.gateway.chaos;

import dev.sluice.gateway.chaos.Chaos.Trouble;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName(
        "Three gateways on one database, of which one is killed and one paused, and whose database is cut and restarted")
final class ChaosTest {
    private static final int CLIENTS = 24;

    private final long seed = Long.getLong("chaos.seed", System.nanoTime());

    @Test
    @DisplayName("never exceed a limit, lose no request without a word, and leak nothing")
    void nothingIsExceededLostOrLeaked() throws Exception {
        System.out.println("ChaosTest plays -Dchaos.seed=" + seed);
        try (Chaos chaos = new Chaos(seed)) {
            chaos.start(CLIENTS);
            chaos.make(Trouble.CUT_SESSIONS);
            chaos.make(Trouble.KILL);
            chaos.make(Trouble.PAUSE);
            chaos.make(Trouble.RESTART_DATABASE);
            chaos.calm();
        }
    }
}
