package dev.sluice.postgres;

import static dev.sluice.postgres.Ledgers.admitted;
import static dev.sluice.postgres.Ledgers.decision;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Turn;
import dev.sluice.postgres.embedded.Signal;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A process with a hundred waiters of a scope with a limit of one")
class DyingHolderTest {
    private static final Duration WAITER_LEASE = Duration.ofSeconds(3);

    private Ledgers ledgers;
    private PostgresAdmission survivor;
    private Admitted running;
    private WaitingProcess child;

    @BeforeEach
    void open() throws Exception {
        ledgers = Ledgers.create();
        survivor = ledgers.open(
                ledgers.schema.source(),
                Ledgers.limit(1, WAITER_LEASE),
                ledgers.options("survivor").withHeartbeat(Duration.ofSeconds(1)));
        running = admitted(survivor.submit(ledgers.ask("survivor")));
        child = WaitingProcess.start(ledgers.schema, 100, WAITER_LEASE);
        child.untilItWaits();
    }

    @AfterEach
    void close() throws SQLException {
        child.close();
        ledgers.close();
    }

    private static void pass(Duration time) {
        long until = System.nanoTime() + time.toNanos();
        await().atMost(Ledgers.PATIENCE).until(() -> System.nanoTime() > until);
    }

    @Test
    @DisplayName("that is killed frees them by the waiter lease: the survivor's waiter starts")
    void killed() {
        Turn waits = survivor.submit(ledgers.ask("survivor"));
        decision(waits);
        child.kill();

        Ledgers.release(survivor, running);

        admitted(waits);
        await().atMost(Ledgers.PATIENCE)
                .until(() -> survivor.snapshot().queueDepth() == 0 && ledgers.schema.count("waiting") == 0);
        ledgers.assertNoDrift();
    }

    @Test
    @DisplayName("that is paused longer than that and returns judges nobody by what it did not hear meanwhile")
    void paused() {
        Turn waits = survivor.submit(ledgers.ask("survivor"));
        decision(waits);

        Signal.send("STOP", child.pid());
        pass(WAITER_LEASE.multipliedBy(2));
        Signal.send("CONT", child.pid());
        pass(WAITER_LEASE);

        assertThat(waits.outcome().toCompletableFuture()).isNotDone();
        Ledgers.release(survivor, running);
        admitted(waits);
        ledgers.assertNoDrift();
    }
}
