package dev.sluice.postgres;

import static dev.sluice.postgres.Ledgers.MODEL;
import static dev.sluice.postgres.Ledgers.admitted;
import static dev.sluice.postgres.Ledgers.decision;
import static dev.sluice.postgres.Ledgers.join;
import static dev.sluice.postgres.Ledgers.release;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.TaskIds;
import dev.sluice.admission.Turn;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The tables follow the journal")
class FoldTest {
    /** Folds are due by this clock, and it stands still. */
    private static final LongSupplier STANDING = () -> 0;

    private Ledgers ledgers;

    @BeforeEach
    void open() throws SQLException {
        ledgers = Ledgers.create();
    }

    @AfterEach
    void close() throws SQLException {
        ledgers.close();
    }

    /** One that never finds a fold due. */
    private PostgresAdmission unfolding(String holder) {
        PostgresAdmission opened = ledgers.open(
                ledgers.schema.source(),
                Ledgers.limit(2),
                ledgers.options(holder).withMonotonic(STANDING));
        // The comparison at the start folds too.
        await().atMost(Ledgers.PATIENCE).until(() -> opened.auditsMade() > 0);
        return opened;
    }

    private int rows(String table) throws SQLException {
        return ledgers.schema.number("select count(*) from " + table);
    }

    @Test
    void withinAMoment() throws SQLException {
        PostgresAdmission one = ledgers.open("one", Ledgers.limit(1));
        admitted(one.submit(ledgers.ask("one")));
        decision(one.submit(ledgers.ask("one")));

        assertThat(ledgers.schema.count("active")).isEqualTo(1);
        assertThat(ledgers.schema.count("waiting")).isEqualTo(1);
    }

    @Test
    void andATaskThatCameAndWentBetweenTwoFoldsNeverTouchesThem() throws SQLException {
        PostgresAdmission one = unfolding("one");
        release(one, admitted(one.submit(ledgers.ask("one"))));
        Admitted stays = admitted(one.submit(ledgers.ask("one")));
        assertThat(rows("active")).isZero();

        join(one.audit());

        assertThat(rows("active")).isEqualTo(1);
        assertThat(rows("active where task = '" + stays.task() + "'")).isEqualTo(1);
        assertThat(ledgers.schema.number("select n_tup_ins::int from pg_stat_user_tables where relname = 'active'"
                        + " and schemaname = current_schema()"))
                .isLessThanOrEqualTo(1);
    }

    @Test
    void whenAProcessEndsInOrder() throws SQLException {
        PostgresAdmission one = unfolding("one");
        admitted(one.submit(ledgers.ask("one")));
        assertThat(rows("active")).isZero();

        one.close();

        assertThat(rows("active")).isEqualTo(1);
    }

    @Test
    void andWhatTheyLackIsReadFromTheJournal() throws SQLException {
        PostgresAdmission one = unfolding("one");
        Admitted before = admitted(one.submit(ledgers.ask("one")));
        Admitted stays = admitted(one.submit(ledgers.ask("one")));
        join(one.audit());
        release(one, before);
        admitted(one.submit(Ask.async(new TaskIds(() -> 0).next(), 100, List.of(Demand.one(MODEL)))));
        Turn waits = one.submit(ledgers.ask("one"));
        decision(waits);
        assertThat(rows("waiting")).isZero();

        PostgresAdmission two = unfolding("two");

        assertThat(two.snapshot().scope(MODEL).orElseThrow().active()).isEqualTo(2_000);
        assertThat(two.snapshot().queueDepth()).isEqualTo(1);
        // What one process decided and the other wrote is the same.
        ledgers.assertNoDrift();
        assertThat(rows("waiting where task = '" + waits.task() + "'")).isEqualTo(1);
        assertThat(release(two, stays)).isTrue();
        assertThat(admitted(waits).provisional()).isFalse();
        ledgers.assertNoDrift();
    }

    @Test
    void whoeverOfTwoBusyProcessesFoldsFirst() throws SQLException {
        long seed = System.nanoTime();
        System.out.println("FoldTest plays " + seed);
        Random random = new Random(seed);
        List<PostgresAdmission> engines = List.of(ledgers.open("one", Ledgers.limit(3)), unfolding("two"));
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            int which = random.nextInt(2);
            PostgresAdmission engine = engines.get(which);
            if (turns.isEmpty() || random.nextBoolean()) {
                Turn turn = engine.submit(ledgers.ask(which == 0 ? "one" : "two"));
                decision(turn);
                turns.add(turn);
            } else {
                Turn turn = turns.remove(random.nextInt(turns.size()));
                join(engine.cancel(turn.task(), Eviction.CANCELLED));
            }
            if (random.nextInt(20) == 0) {
                join(engines.get(random.nextInt(2)).audit());
            }
        }

        ledgers.assertNoDrift();
        assertThat(rows("active") + rows("waiting")).isEqualTo(turns.size());
    }
}
