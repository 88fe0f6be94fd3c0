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
import dev.sluice.admission.Evicted;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.ProviderState;
import dev.sluice.admission.RoutePolicy;
import dev.sluice.admission.Routing;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.Turn;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What an operator decides about a provider in one process")
class OperatedProvidersTest {
    private static final Policies TWO_PROVIDERS = Policies.NONE
            .with(MODEL, ScopePolicy.limit(0).queue(100))
            .with(ProviderPolicy.of("p1", 1), ProviderPolicy.of("p2", 1))
            .with(RoutePolicy.of("large", MODEL, List.of("p1", "p2")));

    private Ledgers ledgers;
    private PostgresAdmission one;
    private PostgresAdmission two;

    @BeforeEach
    void open() throws SQLException {
        ledgers = Ledgers.create();
        one = ledgers.open("one", TWO_PROVIDERS);
        two = ledgers.open("two", TWO_PROVIDERS);
    }

    @AfterEach
    void close() throws SQLException {
        ledgers.close();
    }

    private Ask ask(String holder) {
        return ledgers.ask(holder).on(Routing.to("large"));
    }

    private static ProviderState state(PostgresAdmission engine, String provider) {
        return engine.snapshot().provider(provider).orElseThrow().state();
    }

    @Test
    void holdsInTheOthersAtTheirNextDecision() {
        join(one.operate("p1", ProviderState.DRAINING));

        Admitted placed = admitted(two.submit(ask("two")));

        assertThat(placed.placement().orElseThrow().provider()).isEqualTo("p2");
        assertThat(state(two, "p1")).isEqualTo(ProviderState.DRAINING);
        assertThat(decision(two.submit(ask("two")))).isNotInstanceOf(Admitted.class);
        ledgers.assertNoDrift();
    }

    @Test
    void startsTheWaitersOfTheOthersWhenItIsTakenBack() {
        join(one.operate("p1", ProviderState.DISABLED));
        admitted(two.submit(ask("two")));
        Turn waits = two.submit(ask("two"));
        decision(waits);

        join(one.operate("p1", ProviderState.ENABLED));

        assertThat(admitted(waits).placement().orElseThrow().provider()).isEqualTo("p1");
        ledgers.assertNoDrift();
    }

    @Test
    void endsTheWaitOfTheOthersWhenNoProviderIsLeft() {
        admitted(two.submit(ask("two")));
        admitted(two.submit(ask("two")));
        Turn waits = two.submit(ask("two"));
        decision(waits);

        join(one.operate("p1", ProviderState.DISABLED));
        join(two.operate("p2", ProviderState.DISABLED));

        assertThat(outcome(waits))
                .isInstanceOfSatisfying(
                        Evicted.class, evicted -> assertThat(evicted.reason()).isEqualTo(Eviction.NO_CAPACITY));
        ledgers.assertNoDrift();
    }

    @Test
    void survivesAllProcesses() {
        join(one.operate("p1", ProviderState.DISABLED));
        one.close();
        two.close();

        PostgresAdmission three = ledgers.open("three", TWO_PROVIDERS);

        assertThat(state(three, "p1")).isEqualTo(ProviderState.DISABLED);
        assertThat(state(three, "p2")).isEqualTo(ProviderState.ENABLED);
    }

    @Test
    void isDecidedByTheLastWhoSaidSomething() {
        join(one.operate("p1", ProviderState.DISABLED));
        join(two.operate("p1", ProviderState.DRAINING));

        await().atMost(Ledgers.PATIENCE).until(() -> state(one, "p1") == ProviderState.DRAINING);
        assertThat(state(two, "p1")).isEqualTo(ProviderState.DRAINING);
    }
}
