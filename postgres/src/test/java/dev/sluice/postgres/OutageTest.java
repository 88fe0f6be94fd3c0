package dev.sluice.postgres;

import static dev.sluice.postgres.Ledgers.PATIENCE;
import static dev.sluice.postgres.Ledgers.admitted;
import static dev.sluice.postgres.Ledgers.decision;
import static dev.sluice.postgres.Ledgers.join;
import static dev.sluice.postgres.Ledgers.outcome;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.AdmissionUnavailableException;
import dev.sluice.admission.Admitted;
import dev.sluice.admission.Evicted;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.Turn;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("While the database is away")
class OutageTest {
    private static final Duration WAITER_LEASE = Duration.ofSeconds(2);

    private Ledgers ledgers;
    private ClosableSource source;
    private PostgresAdmission one;
    private PostgresAdmission two;

    @BeforeEach
    void open() throws SQLException {
        ledgers = Ledgers.create();
        source = ClosableSource.of(ledgers.schema);
        one = opened("one");
        two = opened("two");
    }

    private PostgresAdmission opened(String holder) {
        return ledgers.open(
                source,
                Ledgers.limit(1, WAITER_LEASE),
                ledgers.options(holder).withHeartbeat(Duration.ofMillis(500)).withPoll(Duration.ofMillis(200)));
    }

    @AfterEach
    void close() throws SQLException {
        ledgers.close();
    }

    private void away() throws SQLException {
        source.close();
        ledgers.schema.cutConnections();
        await().atMost(PATIENCE).until(() -> !one.isAvailable() && !two.isAvailable());
    }

    private void back() {
        source.open();
        await().atMost(PATIENCE).until(() -> one.isAvailable() && two.isAvailable());
    }

    private static void pass(Duration time) {
        long until = System.nanoTime() + time.toNanos();
        await().atMost(PATIENCE).until(() -> System.nanoTime() > until);
    }

    @Test
    void thoseWhoWaitWaitOnLongerThanAWaiterLeaseAndKeepTheirPlace() throws SQLException {
        Admitted running = admitted(one.submit(ledgers.ask("one")));
        Turn first = two.submit(ledgers.ask("two"));
        decision(first);
        Turn second = one.submit(ledgers.ask("one"));
        decision(second);

        away();
        pass(WAITER_LEASE.multipliedBy(2));
        CompletionStage<Boolean> released = one.release(running.task(), running.epoch());
        assertThat(first.outcome().toCompletableFuture()).isNotDone();
        back();

        assertThat(join(released)).isTrue();
        Admitted next = admitted(first);
        assertThat(second.outcome().toCompletableFuture()).isNotDone();
        Ledgers.release(two, next);
        admitted(second);
        ledgers.assertNoDrift();
    }

    @Test
    void newAsksAreRefusedAndNeverRunLater() throws SQLException {
        away();

        Turn refused = one.submit(ledgers.ask("one"));
        assertThatThrownBy(() -> decision(refused)).hasCauseInstanceOf(AdmissionUnavailableException.class);

        back();
        admitted(one.submit(ledgers.ask("one")));
        assertThat(ledgers.schema.count("active") + ledgers.schema.count("waiting"))
                .isEqualTo(1);
    }

    @Test
    void aDeadlineIsKept() throws SQLException {
        admitted(one.submit(ledgers.ask("one")));
        Turn hasty = one.submit(ledgers.ask("one").within(MaxWait.atMost(Duration.ofSeconds(1))));
        decision(hasty);
        away();

        assertThat(outcome(hasty))
                .isInstanceOfSatisfying(
                        Evicted.class, evicted -> assertThat(evicted.reason()).isEqualTo(Eviction.QUEUE_TIMEOUT));

        back();
        await().atMost(PATIENCE).until(() -> ledgers.schema.count("waiting") == 0);
        ledgers.assertNoDrift();
    }
}
