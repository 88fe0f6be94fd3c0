package dev.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Outcome;
import dev.sluice.admission.Policies;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.TaskIds;
import dev.sluice.admission.Turn;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an embedding service does in the transaction of an admission happens with it or not at all. */
class HooksTest {
    private static final Scope MODEL = Scope.platformModel("on-prem", "large");

    private final TaskIds ids = new TaskIds(() -> 0);
    private LedgerSchema schema;
    private PostgresAdmission admission;

    @BeforeEach
    void start() throws SQLException {
        schema = LedgerSchema.create();
        schema.execute("create table note (task uuid primary key)");
        admission = PostgresAdmission.start(
                schema.source(),
                Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(10)),
                Options.of(schema.name(), "one"));
        await().atMost(Duration.ofSeconds(20)).until(admission::isAvailable);
    }

    @AfterEach
    void stop() throws SQLException {
        admission.close();
        schema.close();
    }

    private Ask ask() {
        UUID task = ids.next();
        return Ask.sync(task, "waiter-" + task, "one", 100, List.of(Demand.one(MODEL)));
    }

    private static Outcome outcome(Turn turn) {
        return turn.outcome()
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    private void note(Connection connection, UUID task) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("insert into %s.note values ('%s')".formatted(schema.name(), task));
        }
    }

    @Test
    void whatTheHookWroteIsThereWhenTheTaskIsAdmitted() throws SQLException {
        Ask ask = ask();

        Outcome outcome = outcome(admission.submit(ask, (connection, admitted) -> note(connection, admitted.task())));

        assertThat(outcome).isInstanceOf(Admitted.class);
        assertThat(schema.count("note")).isEqualTo(1);
        assertThat(schema.count("active")).isEqualTo(1);
    }

    @Test
    void theHookOfATaskThatWaitsRunsWhenItIsAdmitted() throws SQLException {
        Admitted first = (Admitted) outcome(admission.submit(ask()));
        Turn waits = admission.submit(ask(), (connection, admitted) -> note(connection, admitted.task()));
        waits.decision().toCompletableFuture().join();
        assertThat(schema.count("note")).isZero();

        admission.release(first.task(), first.epoch()).toCompletableFuture().join();

        assertThat(outcome(waits)).isInstanceOf(Admitted.class);
        assertThat(schema.count("note")).isEqualTo(1);
    }

    @Test
    void aHookThatThrowsTakesItsAdmissionBackAndNoOther() throws SQLException {
        Turn fails = admission.submit(ask(), (connection, admitted) -> {
            note(connection, admitted.task());
            throw new IllegalStateException("no job today");
        });

        assertThatThrownBy(() -> outcome(fails)).hasRootCauseMessage("no job today");
        Outcome next = outcome(admission.submit(ask()));
        assertThat(next).isInstanceOf(Admitted.class);
        assertThat(schema.count("note")).isZero();
        assertThat(schema.count("active")).isEqualTo(1);
    }

    @Test
    void aTaskWhoseRegistrationFailsWasNeverAskedFor() throws SQLException {
        Turn fails = admission.submit(ask(), (QueuedHook) connection -> {
            throw new IllegalStateException("no row today");
        });

        assertThatThrownBy(() -> outcome(fails)).hasRootCauseMessage("no row today");
        assertThat(schema.count("active")).isZero();
        assertThat(admission.snapshot().scope(MODEL).orElseThrow().active()).isZero();
    }
}
