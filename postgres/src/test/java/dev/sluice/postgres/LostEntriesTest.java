package dev.sluice.postgres;

import static dev.sluice.postgres.Ledgers.admitted;
import static dev.sluice.postgres.Ledgers.decision;
import static dev.sluice.postgres.Ledgers.join;
import static dev.sluice.postgres.Ledgers.release;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Turn;
import dev.sluice.admission.Waiting;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A server without the newest entries, after a crash or because it took another's place behind a pooler,")
class LostEntriesTest {
    private Ledgers ledgers;
    private PostgresAdmission one;
    private PostgresAdmission two;

    @BeforeEach
    void open() throws SQLException {
        ledgers = Ledgers.create();
        one = ledgers.open("one", Ledgers.limit(2));
        two = ledgers.open("two", Ledgers.limit(2));
    }

    @AfterEach
    void close() throws SQLException {
        ledgers.close();
    }

    /**
     * Takes the server back to a revision, as far as one task goes.
     *
     * @param given whether others were given the lost revisions since
     */
    private void forget(UUID task, int since, boolean given) throws SQLException {
        ledgers.schema.execute("""
                select lock_shard();
                create temporary table gone as select revision from journal where revision > %1$d;
                delete from journal where revision > %1$d;
                delete from active where task = '%2$s';
                delete from waiting where task = '%2$s';
                insert into journal select revision, 'three', clock_timestamp(), false, '[{"by":"three"}]', 3
                  from gone where %3$b
                """.formatted(since, task, given));
    }

    private int head() throws SQLException {
        return ledgers.schema.number("select max(revision) from journal");
    }

    @ParameterizedTest(name = "their revisions given again: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("has those who saw them begin again from its tables")
    void whoeverSawThemBeginsAgain(boolean given) throws SQLException {
        Admitted kept = admitted(one.submit(ledgers.ask("one")));
        ledgers.schema.folded();
        two.settled();
        int before = head();
        Admitted lost = admitted(one.submit(ledgers.ask("one")));
        two.settled();
        assertThat(two.snapshot().scope(Ledgers.MODEL).orElseThrow().active()).isEqualTo(2_000);

        forget(lost.task(), before, given);

        // Each decides by the tables: one of the two slots is free, and only once.
        Admitted second = admitted(two.submit(ledgers.ask("two")));
        Turn third = one.submit(ledgers.ask("one"));
        assertThat(decision(third)).isInstanceOf(Waiting.class);
        assertThat(join(one.release(lost.task(), lost.epoch()))).isFalse();
        assertThat(release(one, kept)).isTrue();
        assertThat(admitted(third).epoch()).isNotEqualTo(lost.epoch());
        assertThat(ledgers.schema.running()).containsExactlyInAnyOrder(second.task(), third.task());
        ledgers.assertNoDrift();
    }

    @ParameterizedTest(name = "their revisions given again: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName("is noticed by a process that has nothing to write")
    void anIdleProcessNotices(boolean given) throws SQLException {
        admitted(one.submit(ledgers.ask("one")));
        ledgers.schema.folded();
        two.settled();
        int before = head();
        Admitted lost = admitted(one.submit(ledgers.ask("one")));
        two.settled();

        forget(lost.task(), before, given);
        two.settled();

        assertThat(two.snapshot().scope(Ledgers.MODEL).orElseThrow().active()).isEqualTo(1_000);
    }
}
