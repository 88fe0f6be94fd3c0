package dev.sluice.postgres;

import static dev.sluice.postgres.Ledgers.MODEL;
import static dev.sluice.postgres.Ledgers.admitted;
import static dev.sluice.postgres.Ledgers.decision;
import static dev.sluice.postgres.Ledgers.join;
import static dev.sluice.postgres.Ledgers.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.ProviderState;
import dev.sluice.admission.TaskIds;
import dev.sluice.admission.Turn;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The comparison of mirror, tables and journal")
class AuditTest {
    private Ledgers ledgers;
    private PostgresAdmission one;

    @BeforeEach
    void open() throws SQLException {
        ledgers = Ledgers.create();
        one = ledgers.open("one", Ledgers.limit(1).with(ProviderPolicy.of("p1", 1)));
    }

    @AfterEach
    void close() throws SQLException {
        ledgers.close();
    }

    /** Runs and waits: one task each, and an asynchronous one that runs with its job. */
    private Turn use() {
        admitted(one.submit(Ask.async(new TaskIds(() -> 0).next(), 100, List.of(Demand.one(MODEL)))));
        Turn waits = one.submit(ledgers.ask("one"));
        decision(waits);
        join(one.operate("p1", ProviderState.DISABLED));
        return waits;
    }

    @Test
    void findsNothingInUse() {
        use();
        PostgresAdmission two = ledgers.open("two", Ledgers.limit(1));
        decision(two.submit(ledgers.ask("two")));

        ledgers.assertNoDrift();
    }

    @Test
    void takesPlaceAtTheStart() {
        await().atMost(Ledgers.PATIENCE).until(() -> one.auditsMade() > 0);
        assertThat(one.drift()).isZero();
    }

    @Test
    void findsARowThatSomebodyRemovedAndBeginsAgainFromTheTables() throws SQLException {
        Turn waits = use();
        ledgers.schema.folded();
        ledgers.schema.execute("delete from active; delete from job");
        try (LoggedLines logged = LoggedLines.of(Audit.class)) {
            assertThat(join(one.audit())).isPositive();
            assertThat(one.drift()).isEqualTo(1);
            assertThat(logged.lines()).singleElement().asString().contains("ERROR", "drifted", "is in no table");
        }

        // The mirror has let go of what is in no table, so the waiter may run.
        assertThat(outcome(waits)).isInstanceOf(Admitted.class);
        assertThat(join(one.audit())).isZero();
        assertThat(one.drift()).isZero();
        assertThat(one.driftTotal()).isEqualTo(1);
    }

    @Test
    void findsARowThatSomebodyAdded() throws SQLException {
        use();
        ledgers.schema.folded();
        ledgers.schema.execute("""
                insert into waiting (task, sequence, priority, holder, queued, body)
                select gen_random_uuid(), 99, 100, 'one', now(), replace(body, task::text, gen_random_uuid()::text)
                  from waiting limit 1""");
        try (LoggedLines _ = LoggedLines.of(Audit.class)) {
            assertThat(join(one.audit())).isPositive();
        }

        assertThat(one.snapshot().queueDepth()).isEqualTo(2);
    }

    @Test
    void findsColumnsThatBelieTheirBody() throws SQLException {
        use();
        ledgers.schema.folded();
        ledgers.schema.execute("update waiting set priority = 1; update active set epoch = 1");
        try (LoggedLines _ = LoggedLines.of(Audit.class)) {
            // The job names the epoch of the body, so it is without an admission and the admission without a job.
            assertThat(join(one.audit())).isEqualTo(4);
        }
    }

    @Test
    void findsALostJob() throws SQLException {
        use();
        ledgers.schema.folded();
        ledgers.schema.execute("delete from job");
        try (LoggedLines _ = LoggedLines.of(Audit.class)) {
            assertThat(join(one.audit())).isEqualTo(1);
        }
    }

    @Test
    void findsAGapInTheJournal() throws SQLException {
        use();
        ledgers.open("two", Ledgers.limit(1));
        decision(one.submit(ledgers.ask("one")));
        decision(one.submit(ledgers.ask("one")));
        ledgers.schema.folded();
        ledgers.schema.execute("delete from journal where revision = (select max(revision) - 1 from journal)");
        try (LoggedLines _ = LoggedLines.of(Audit.class)) {
            assertThat(join(one.audit())).isEqualTo(1);
        }
    }

    @Test
    void findsAStateOfAProviderThatNobodyDecided() throws SQLException {
        use();
        ledgers.schema.folded();
        ledgers.schema.execute("update provider_state set state = 'DRAINING'");
        try (LoggedLines _ = LoggedLines.of(Audit.class)) {
            assertThat(join(one.audit())).isEqualTo(1);
        }

        assertThat(one.snapshot().provider("p1").orElseThrow().state()).isEqualTo(ProviderState.DRAINING);
    }
}
