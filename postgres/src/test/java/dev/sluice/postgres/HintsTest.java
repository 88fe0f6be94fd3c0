package dev.sluice.postgres;

import static dev.sluice.postgres.Ledgers.PATIENCE;
import static dev.sluice.postgres.Ledgers.admitted;
import static dev.sluice.postgres.Ledgers.decision;
import static dev.sluice.postgres.Ledgers.join;
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
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

@DisplayName("When the connection that listens for hints")
class HintsTest {
    /** So rare a poll, and such long leases of waiters, that only a hint can be quick. */
    private static final Duration RARELY = Duration.ofMinutes(10);

    private static final Duration NEXT_START_MAX = Duration.ofMillis(500);
    private static final int STARTS = 11;

    private Ledgers ledgers;
    private PostgresAdmission one;
    private PostgresAdmission two;

    @BeforeEach
    void open() throws SQLException {
        ledgers = Ledgers.create();
        one = opened("one", RARELY);
        two = opened("two", Duration.ofSeconds(1));
    }

    private PostgresAdmission opened(String holder, Duration poll) {
        return opened(holder, poll, ledgers.schema.source());
    }

    private PostgresAdmission opened(String holder, Duration poll, DataSource listening) {
        PostgresAdmission opened = ledgers.open(
                ledgers.schema.source(),
                listening,
                Ledgers.limit(1, RARELY),
                ledgers.options(holder).withPoll(poll));
        // The comparison at the start is a look at the journal, too.
        join(opened.audit());
        return opened;
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

    /** A release in one process starts the waiter of the other; how long that took. */
    private Duration wakes(PostgresAdmission releasing, String its, PostgresAdmission waiting, String theirs) {
        Admitted running = admitted(releasing.submit(ledgers.ask(its)));
        Turn waits = waiting.submit(ledgers.ask(theirs));
        decision(waits);
        untilNobodyLooks();

        long released = System.nanoTime();
        assertThat(release(releasing, running)).isTrue();
        Admitted next = admitted(waits);
        Duration taken = Duration.ofNanos(System.nanoTime() - released);
        assertThat(release(waiting, next)).isTrue();
        return taken;
    }

    /** Whoever brings the tables up to the journal looks at it on the way: until none has to. */
    private void untilNobodyLooks() {
        ledgers.schema.folded();
        one.settled();
        two.settled();
    }

    private Duration median(Supplier<Duration> start) {
        return Stream.generate(start)
                .limit(STARTS)
                .sorted()
                .skip(STARTS / 2)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void worksTheNextStartFollowsTheReleaseAtOnceInWhateverProcess() {
        bothListen();

        assertThat(median(() -> wakes(two, "two", one, "one"))).isLessThan(NEXT_START_MAX);
        assertThat(median(() -> wakes(one, "one", one, "one"))).isLessThan(NEXT_START_MAX);
    }

    @Test
    void worksAReleaseSendsOneHintHoweverManyWait() throws Exception {
        bothListen();
        Admitted running = admitted(one.submit(ledgers.ask("one")));
        List<Turn> waiting =
                Stream.generate(() -> two.submit(ledgers.ask("two"))).limit(100).toList();
        waiting.forEach(Ledgers::decision);
        try (Connection connection = ledgers.schema.database().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("listen " + channel());

            assertThat(release(one, running)).isTrue();
            for (Turn next : waiting.subList(0, STARTS)) {
                assertThat(release(one, admitted(next))).isTrue();
            }

            // One for each grant to a waiter of the other process, and none for its confirmation.
            admitted(waiting.get(STARTS));
            two.settled();
            PGNotification[] hints = connection.unwrap(PGConnection.class).getNotifications(1_000);
            assertThat(hints)
                    .hasSizeBetween(1, STARTS + 1)
                    .allMatch(hint -> hint.getParameter().equals("two"));
            assertThat(waiting.subList(STARTS + 1, waiting.size()))
                    .allMatch(turn -> !turn.outcome().toCompletableFuture().isDone());
        }
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
    void cannotBeOpenedForAWhileWhatWasMissedIsCaughtUpWithOnceItIs() throws SQLException {
        ClosableSource listening = ClosableSource.of(ledgers.schema);
        PostgresAdmission deaf = opened("deaf", RARELY, listening);
        await().atMost(PATIENCE).until(() -> listeners().size() == 3);
        Admitted running = admitted(two.submit(ledgers.ask("two")));
        Turn waits = deaf.submit(ledgers.ask("deaf"));
        decision(waits);
        listening.close();
        for (long pid : listeners()) {
            ledgers.schema.execute("select pg_terminate_backend(" + pid + ")");
        }
        await().atMost(PATIENCE).until(() -> listeners().size() == 2);
        untilNobodyLooks();
        deaf.settled();

        assertThat(release(two, running)).isTrue();
        assertThat(waits.outcome().toCompletableFuture()).isNotDone();
        listening.open();

        assertThat(release(deaf, admitted(waits))).isTrue();
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
