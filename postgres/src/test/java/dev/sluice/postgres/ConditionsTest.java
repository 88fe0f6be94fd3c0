package dev.sluice.postgres;

import static dev.sluice.postgres.Ledgers.MODEL;
import static dev.sluice.postgres.Ledgers.PATIENCE;
import static dev.sluice.postgres.Ledgers.admitted;
import static dev.sluice.postgres.Ledgers.decision;
import static dev.sluice.postgres.Ledgers.join;
import static dev.sluice.postgres.Ledgers.release;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.Turn;
import dev.sluice.admission.Waiting;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Conditions that broke other systems on their database")
class ConditionsTest {
    private static final Duration SHORT = Duration.ofMillis(500);

    private Ledgers ledgers;

    @BeforeEach
    void create() throws SQLException {
        ledgers = Ledgers.create();
    }

    @AfterEach
    void close() throws SQLException {
        ledgers.close();
    }

    private static Policies leases(Duration ttl) {
        return Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(100).leaseTtl(ttl));
    }

    @Test
    @DisplayName("a process whose clock is ten minutes off is not dead, kills nobody, and its leases last as long")
    void clocksThatDiffer() {
        long off = Duration.ofMinutes(10).toNanos();
        PostgresAdmission late = ledgers.open(
                ledgers.schema.source(),
                Ledgers.limit(1, Duration.ofSeconds(3)),
                ledgers.options("late")
                        .withHeartbeat(Duration.ofSeconds(1))
                        .withMonotonic(() -> System.nanoTime() - off));
        PostgresAdmission early = ledgers.open(
                ledgers.schema.source(),
                Ledgers.limit(1, Duration.ofSeconds(3)),
                ledgers.options("early")
                        .withHeartbeat(Duration.ofSeconds(1))
                        .withMonotonic(() -> System.nanoTime() + off));
        Admitted running = admitted(late.submit(ledgers.ask("late")));
        Turn waitsEarly = early.submit(ledgers.ask("early"));
        decision(waitsEarly);
        Turn waitsLate = late.submit(ledgers.ask("late"));
        decision(waitsLate);

        // Longer than a waiter lives without a heartbeat.
        long until = System.nanoTime() + Duration.ofSeconds(4).toNanos();
        await().atMost(PATIENCE).until(() -> System.nanoTime() > until);
        assertThat(join(late.renew(running.task(), running.epoch()))).isTrue();
        assertThat(waitsEarly.outcome().toCompletableFuture()).isNotDone();
        assertThat(waitsLate.outcome().toCompletableFuture()).isNotDone();

        assertThat(release(late, running)).isTrue();
        assertThat(release(early, admitted(waitsEarly))).isTrue();
        assertThat(release(late, admitted(waitsLate))).isTrue();
        assertThat(late.totals().leasesExpired() + early.totals().leasesExpired())
                .isZero();
        ledgers.assertNoDrift();
    }

    @Test
    @DisplayName("the late release of a holder that was paused beyond its lease does not free the next owner's slot")
    void lateRelease() {
        PostgresAdmission paused = ledgers.open("paused", leases(SHORT));
        PostgresAdmission other = ledgers.open("other", leases(Duration.ofMinutes(2)));
        Admitted stale = admitted(paused.submit(ledgers.ask("paused")));
        Admitted owner = admitted(other.submit(ledgers.ask("other")));
        Turn next = other.submit(ledgers.ask("other"));
        decision(next);

        assertThat(release(paused, stale)).isFalse();
        assertThat(join(paused.renew(stale.task(), stale.epoch()))).isFalse();

        assertThat(next.outcome().toCompletableFuture()).isNotDone();
        assertThat(join(other.renew(owner.task(), owner.epoch()))).isTrue();
        ledgers.assertNoDrift();
    }

    @Test
    @DisplayName("two schemas in one database neither share limits nor wait for each other's lock")
    void twoSchemas() throws Exception {
        PostgresAdmission here = ledgers.open("same", Ledgers.limit(1));
        try (Ledgers others = Ledgers.create();
                var locked = ledgers.schema.database().connect();
                var statement = locked.createStatement()) {
            admitted(here.submit(ledgers.ask("same")));
            PostgresAdmission there = others.open("same", Ledgers.limit(1));
            locked.setAutoCommit(false);
            statement.execute("select lock_shard()");

            Admitted admitted = admitted(there.submit(others.ask("same")));
            assertThat(release(there, admitted)).isTrue();

            locked.rollback();
            assertThat(decision(here.submit(ledgers.ask("same")))).isInstanceOf(Waiting.class);
            assertThat(there.snapshot().queueDepth()).isZero();
        }
    }

    @Test
    @DisplayName("an operation that the database refuses fails alone, and the others go on")
    void refusedOperation() {
        PostgresAdmission engine = ledgers.open("one", Ledgers.limit(100));
        List<Turn> good = new ArrayList<>();
        Ask bad = ledgers.ask("no text for PostgreSQL: \0");
        try (LoggedLines logged = LoggedLines.of(Engine.class)) {
            for (int i = 0; i < 5; i++) {
                good.add(engine.submit(ledgers.ask("one")));
            }
            Turn refused = engine.submit(bad);
            for (int i = 0; i < 5; i++) {
                good.add(engine.submit(ledgers.ask("one")));
            }

            good.forEach(Ledgers::admitted);
            assertThatThrownBy(() -> decision(refused)).isInstanceOf(CompletionException.class);
            assertThat(logged.lines()).anyMatch(line -> line.startsWith("WARN a batch of the ledger failed"));
        }

        assertThat(engine.snapshot().scope(MODEL).orElseThrow().active()).isEqualTo(10_000);
        ledgers.assertNoDrift();
    }

    @Test
    @DisplayName("a call that forbids plans is not compiled for the price that servers before 18 put on them")
    void callsThatForbidPlans() throws SQLException {
        String forbidding =
                "select count(*) from pg_proc where pronamespace = '%s'::regnamespace".formatted(ledgers.schema.name())
                        + " and proconfig::text like '%enable_%=off%'";

        assertThat(ledgers.schema.number(forbidding)).isPositive();
        assertThat(ledgers.schema.number(forbidding + " and not proconfig @> array['jit=off']"))
                .isZero();
    }
}
