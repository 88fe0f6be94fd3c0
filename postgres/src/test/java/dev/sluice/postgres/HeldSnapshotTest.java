package dev.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A snapshot that somebody holds in the ledger's database")
class HeldSnapshotTest {
    private static final int CYCLES = 300;

    @Test
    void isWarnedOfOnceMeasuredAndForgottenWhenItEndsAndAllGoesOnMeanwhile() throws Exception {
        try (Ledgers ledgers = Ledgers.create();
                LoggedLines logged = LoggedLines.of(HeldSnapshots.class)) {
            PostgresAdmission engine = ledgers.open(
                    ledgers.schema.source(),
                    Ledgers.limit(1),
                    ledgers.options("one")
                            .withHeartbeat(Duration.ofMillis(50))
                            .withSnapshotWarning(Duration.ofMillis(400)));
            try (Connection holding = ledgers.schema.database().connect();
                    Statement statement = holding.createStatement()) {
                holding.setAutoCommit(false);
                holding.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                statement.execute("select 1");

                await().atMost(Ledgers.PATIENCE)
                        .until(() -> engine.oldestSnapshot().compareTo(Duration.ofSeconds(1)) > 0);
                for (int i = 0; i < CYCLES; i++) {
                    assertThat(Ledgers.release(engine, Ledgers.admitted(engine.submit(ledgers.ask("one")))))
                            .isTrue();
                }
                ledgers.assertNoDrift();
                holding.rollback();
            }

            await().atMost(Ledgers.PATIENCE).until(() -> engine.oldestSnapshot().isZero());
            await().atMost(Ledgers.PATIENCE).until(() -> logged.lines().size() >= 2);
            assertThat(logged.lines()).hasSize(2);
            assertThat(logged.lines().getFirst()).startsWith("WARN").contains("snapshot", "session");
            assertThat(logged.lines().getLast()).startsWith("INFO");
        }
    }
}
