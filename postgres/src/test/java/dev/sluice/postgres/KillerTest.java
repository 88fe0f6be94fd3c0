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
import dev.sluice.admission.Eviction;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.ProviderState;
import dev.sluice.admission.RoutePolicy;
import dev.sluice.admission.Routing;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.Turn;
import dev.sluice.admission.Waiting;
import dev.sluice.postgres.FaultySource.Point;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName(
        "A batch whose connection or process dies loses nothing acknowledged, doubles nothing and leaks no slot: it dies")
class KillerTest {
    private static final Policies POLICIES = Policies.NONE
            .with(MODEL, ScopePolicy.limit(2).queue(100))
            .with(ProviderPolicy.of("p1", 1), ProviderPolicy.of("p2", 1))
            .with(RoutePolicy.of("large", MODEL, List.of("p1", "p2")));

    private boolean seen;
    private Ledgers ledgers;
    private FaultySource source;
    private PostgresAdmission one;
    private PostgresAdmission two;

    @BeforeEach
    void open() throws SQLException {
        ledgers = Ledgers.create();
        ledgers.schema.execute("create table note (task uuid primary key)");
        source = FaultySource.of(ledgers.schema);
        one = ledgers.open(source, POLICIES, ledgers.options("one"));
        two = ledgers.open("two", POLICIES);
    }

    @AfterEach
    void close() throws SQLException {
        ledgers.close();
    }

    private Ask ask() {
        return ask("one");
    }

    private Ask ask(String holder) {
        Ask ask = ledgers.ask(holder);
        return new Ask(ask.task(), ask.mode(), 100, List.of(), Optional.of(Routing.to("large")), MaxWait.INHERIT, "");
    }

    private void note(Connection connection, UUID task) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("insert into %s.note values ('%s')".formatted(ledgers.schema.name(), task));
        }
    }

    /** Exactly these run, and nobody waits. */
    private void assertRuns(Admitted... expected) throws SQLException {
        assertThat(source.isArmed()).as("the fault is still to come").isFalse();
        ledgers.assertNoDrift();
        assertThat(ledgers.schema.count("active")).isEqualTo(expected.length);
        assertThat(ledgers.schema.count("waiting")).isZero();
        for (Admitted admitted : expected) {
            assertThat(ledgers.schema.count(
                            "active where task = '" + admitted.task() + "' and epoch = " + admitted.epoch()))
                    .isEqualTo(1);
        }
        for (PostgresAdmission engine : List.of(one, two)) {
            assertThat(engine.snapshot().scope(MODEL).orElseThrow().active()).isEqualTo(1_000L * expected.length);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whileATaskIsAskedFor(Point point) throws SQLException {
        source.arm(point);

        Admitted admitted = admitted(one.submit(ask()));

        assertRuns(admitted);
        assertThat(release(one, admitted)).isTrue();
        assertRuns();
    }

    @ParameterizedTest
    @EnumSource
    void whileATaskIsQueued(Point point) throws SQLException {
        Admitted first = admitted(one.submit(ask()));
        Admitted second = admitted(two.submit(ask("two")));
        source.arm(point);

        Turn waits = one.submit(ask());

        assertThat(decision(waits)).isInstanceOf(Waiting.class);
        release(two, second);
        assertRuns(first, admitted(waits));
    }

    @ParameterizedTest
    @EnumSource
    void whileASlotIsReleased(Point point) throws SQLException {
        Admitted first = admitted(one.submit(ask()));
        Admitted second = admitted(one.submit(ask()));
        Turn waits = two.submit(ask("two"));
        decision(waits);
        source.arm(point);

        // Asked again after a commit that nobody read, it changes nothing a second time: the answer may be false then.
        join(one.release(first.task(), first.epoch()));

        await().atMost(Ledgers.PATIENCE)
                .until(() -> waits.outcome().toCompletableFuture().isDone());
        assertRuns(second, admitted(waits));
    }

    @ParameterizedTest
    @EnumSource
    void whileATaskMovesToAnotherProvider(Point point) throws SQLException {
        Ask ask = ask();
        Admitted first = admitted(one.submit(ask));
        String failed = first.placement().orElseThrow().provider();
        source.arm(point);

        Admitted moved = admitted(one.failOver(ask.on(Routing.to("large").avoiding(Set.of(failed))), first.epoch()));

        assertThat(moved.placement().orElseThrow().provider()).isNotEqualTo(failed);
        assertRuns(moved);
        assertThat(release(one, first)).isFalse();
        assertRuns(moved);
    }

    @ParameterizedTest
    @EnumSource
    void whileATaskIsCancelled(Point point) throws SQLException {
        Admitted first = admitted(one.submit(ask()));
        Admitted second = admitted(one.submit(ask()));
        Turn waits = one.submit(ask());
        decision(waits);
        source.arm(point);

        join(one.cancel(waits.task(), Eviction.CANCELLED));

        assertThat(waits.outcome().toCompletableFuture().isDone()).isTrue();
        assertRuns(first, second);
    }

    @ParameterizedTest
    @EnumSource
    void whileAnOperatorDecides(Point point) throws SQLException {
        source.arm(point);

        join(one.operate("p1", ProviderState.DISABLED));

        Admitted admitted = admitted(two.submit(ask("two")));
        assertThat(admitted.placement().orElseThrow().provider()).isEqualTo("p2");
        assertRuns(admitted);
    }

    @ParameterizedTest
    @EnumSource
    void whileItsHookIsCommitted(Point point) throws SQLException {
        Ask ask = ask();
        // The admission itself is one batch, the confirmation with the hook the next.
        Turn turn = one.submit(ask, (connection, granted) -> {
            note(connection, granted.task());
            if (!seen) {
                seen = true;
                source.arm(point);
            }
        });

        Admitted admitted = admitted(turn);

        assertThat(ledgers.schema.count("note")).isEqualTo(1);
        assertRuns(admitted);
    }

    @Test
    void inItsHook() throws SQLException {
        Turn turn = one.submit(ask(), (connection, granted) -> {
            note(connection, granted.task());
            if (!seen) {
                seen = true;
                int pid = connection.unwrap(org.postgresql.PGConnection.class).getBackendPID();
                ledgers.schema.execute("select pg_terminate_backend(" + pid + ", 10000)");
                note(connection, granted.task());
            }
        });

        Admitted admitted = admitted(turn);

        assertThat(ledgers.schema.count("note")).isEqualTo(1);
        assertRuns(admitted);
    }

    @ParameterizedTest
    @EnumSource(KilledProcess.Death.class)
    void withItsProcess(KilledProcess.Death death) throws Exception {
        one.close();
        two.close();
        Policies policies =
                Policies.NONE.with(MODEL, ScopePolicy.limit(3).queue(10).leaseTtl(Duration.ofSeconds(2)));
        try (KilledProcess child = KilledProcess.start(ledgers.schema, death)) {
            Set<UUID> acknowledged = child.untilItDies();

            PostgresAdmission survivor = ledgers.open("survivor", policies);
            // Whatever was acknowledged is there, and at most the one whose answer was on its way beside it.
            ledgers.assertNoDrift();
            assertThat(child.heldAtDeath()).containsAll(acknowledged);
            assertThat(child.heldAtDeath()).hasSizeBetween(acknowledged.size(), acknowledged.size() + 1);
            // Its leases end by themselves, and all the room is there again.
            for (int i = 0; i < 3; i++) {
                admitted(survivor.submit(ledgers.ask("survivor")));
            }
            assertThat(ledgers.schema.running()).hasSize(3);
            ledgers.assertNoDrift();
        }
    }
}
