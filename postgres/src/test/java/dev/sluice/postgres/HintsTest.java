package dev.sluice.postgres;

import static dev.sluice.postgres.Ledgers.PATIENCE;
import static dev.sluice.postgres.Ledgers.admitted;
import static dev.sluice.postgres.Ledgers.decision;
import static dev.sluice.postgres.Ledgers.release;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Turn;
import dev.sluice.postgres.embedded.Signal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("When the connection that listens for hints")
class HintsTest {
    private Ledgers ledgers;
    private PostgresAdmission one;
    private PostgresAdmission two;

    @BeforeEach
    void open() throws SQLException {
        ledgers = Ledgers.create();
        // So rare a poll that only a hint can be quick.
        one = opened("one", Duration.ofMinutes(1));
        two = opened("two", Duration.ofSeconds(1));
    }

    private PostgresAdmission opened(String holder, Duration poll) {
        return ledgers.open(
                ledgers.schema.source(),
                Ledgers.limit(1),
                ledgers.options(holder).withPoll(poll));
    }

    @AfterEach
    void close() throws SQLException {
        ledgers.close();
    }

    /** The servers of the listening connections; they are the ones whose last statement says so. */
    private List<Long> listeners() throws SQLException {
        List<Long> pids = new ArrayList<>();
        try (Connection connection = ledgers.schema.database().connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("""
                        select pid from pg_stat_activity
                         where query = 'listen ' || '%1$s' and pid <> pg_backend_pid()
                        """.formatted(channel()))) {
            while (result.next()) {
                pids.add(result.getLong(1));
            }
        }
        return pids;
    }

    private String channel() throws SQLException {
        try (Connection connection = ledgers.schema.database().connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select channel()")) {
            result.next();
            return result.getString(1);
        }
    }

    private List<Long> bothListen() {
        await().atMost(PATIENCE).until(() -> listeners().size() == 2);
        try {
            return listeners();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** A release in one process starts the waiter of the other. */
    private void wakes(PostgresAdmission releasing, String its, PostgresAdmission waiting, String theirs) {
        Admitted running = admitted(releasing.submit(ledgers.ask(its)));
        Turn waits = waiting.submit(ledgers.ask(theirs));
        decision(waits);
        assertThat(release(releasing, running)).isTrue();
        assertThat(release(waiting, admitted(waits))).isTrue();
    }

    @Test
    void worksAHintIsEnough() {
        bothListen();

        // The poll of the first is a minute: without the hint this would not be in time.
        wakes(two, "two", one, "one");
    }

    @Test
    void isCutWakesGoOnByPollAndItIsOpenedAgain() throws SQLException {
        List<Long> cut = bothListen();
        for (long pid : cut) {
            ledgers.schema.execute("select pg_terminate_backend(" + pid + ")");
        }

        wakes(one, "one", two, "two");

        await().atMost(PATIENCE)
                .until(() -> listeners().size() == 2 && listeners().stream().noneMatch(cut::contains));
        wakes(two, "two", one, "one");
    }

    @Test
    void isSilentlyDeadWakesGoOnByPoll() throws SQLException {
        List<Long> stopped = bothListen();
        try {
            stopped.forEach(pid -> Signal.send("STOP", pid));

            wakes(one, "one", two, "two");
        } finally {
            stopped.forEach(pid -> Signal.send("CONT", pid));
        }
    }
}
