package dev.sluice.postgres;

import static dev.sluice.postgres.Ledgers.admitted;
import static dev.sluice.postgres.Ledgers.decision;
import static dev.sluice.postgres.Ledgers.join;
import static dev.sluice.postgres.Ledgers.release;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderState;
import dev.sluice.admission.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Where PgBouncer is installed, a part of every build. */
@DisplayName("Through PgBouncer in transaction mode, with a direct connection for hints")
class PgBouncerCheck {
    private static final Policies ONE = Ledgers.limit(1);

    @Test
    @DisplayName("two engines share one ledger exactly, and wake each other")
    void twoEngines() throws Exception {
        try (Ledgers ledgers = Ledgers.create();
                PgBouncer pooler = PgBouncer.before(ledgers.schema.database())) {
            ledgers.schema.execute("create table note (task uuid primary key)");
            PostgresAdmission one = ledgers.open(pooler.source(), ONE, ledgers.options("one"));
            PostgresAdmission two = ledgers.open(pooler.source(), ONE, ledgers.options("two"));
            AtomicInteger running = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            List<CompletableFuture<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                PostgresAdmission engine = i % 2 == 0 ? one : two;
                Turn turn = engine.submit(ledgers.ask(i % 2 == 0 ? "one" : "two"));
                all.add(turn.outcome().toCompletableFuture().thenCompose(outcome -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    running.decrementAndGet();
                    Admitted admitted = (Admitted) outcome;
                    return engine.release(admitted.task(), admitted.epoch());
                }));
            }
            all.forEach(released -> assertThat(join(released)).isTrue());
            assertThat(most).hasValue(1);

            // Hooks, what operators decide, and the comparison use transactions of several statements.
            Admitted hooked = admitted(one.submit(ledgers.ask("one"), (connection, granted) -> {
                try (var statement = connection.createStatement()) {
                    statement.execute(
                            "insert into %s.note values ('%s')".formatted(ledgers.schema.name(), granted.task()));
                }
            }));
            Turn waits = two.submit(ledgers.ask("two"));
            decision(waits);
            join(two.operate("p1", ProviderState.DISABLED));
            assertThat(release(one, hooked)).isTrue();
            assertThat(release(two, admitted(waits))).isTrue();
            assertThat(ledgers.schema.count("note")).isEqualTo(1);
            assertThat(ledgers.schema.count("active")).isZero();
            ledgers.assertNoDrift();
        }
    }
}
