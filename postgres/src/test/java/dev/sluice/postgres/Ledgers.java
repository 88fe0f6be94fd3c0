package dev.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Decision;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Outcome;
import dev.sluice.admission.Policies;
import dev.sluice.admission.QueueingPolicy;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.TaskIds;
import dev.sluice.admission.Turn;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** The engines of one test over one schema, and short words for what tests ask of them. */
final class Ledgers implements AutoCloseable {
    static final Scope MODEL = Scope.platformModel("on-prem", "large");
    static final Duration PATIENCE = Duration.ofSeconds(60);

    final LedgerSchema schema;
    private final TaskIds ids = new TaskIds(() -> 0);
    private final List<PostgresAdmission> engines = new ArrayList<>();

    private Ledgers(LedgerSchema schema) {
        this.schema = schema;
    }

    static Ledgers create() throws SQLException {
        return new Ledgers(LedgerSchema.create());
    }

    static Policies limit(int limit) {
        return Policies.NONE.with(MODEL, ScopePolicy.limit(limit).queue(10_000));
    }

    /** With waiter leases of so long instead of 15 s. */
    static Policies limit(int limit, Duration waiterLease) {
        QueueingPolicy usual = QueueingPolicy.DEFAULT;
        return limit(limit)
                .with(new QueueingPolicy(
                        usual.ordering(), usual.maxOvertakes(), usual.asyncMaxWait(), waiterLease, usual.dispatch()));
    }

    Options options(String holder) {
        return Options.of(schema.name(), holder);
    }

    PostgresAdmission open(String holder, Policies policies) {
        return open(schema.source(), policies, options(holder));
    }

    PostgresAdmission open(DataSource database, Policies policies, Options options) {
        return open(database, schema.source(), policies, options);
    }

    /** @param direct for hints and migrations */
    PostgresAdmission open(DataSource database, DataSource direct, Policies policies, Options options) {
        PostgresAdmission opened = PostgresAdmission.start(database, direct, policies, options);
        engines.add(opened);
        await().atMost(PATIENCE).until(opened::isAvailable);
        return opened;
    }

    Ask ask(String holder) {
        UUID task = ids.next();
        return Ask.sync(task, "waiter-" + task, holder, 100, List.of(Demand.one(MODEL)));
    }

    static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    static Decision decision(Turn turn) {
        return join(turn.decision());
    }

    static Outcome outcome(Turn turn) {
        return join(turn.outcome());
    }

    static Admitted admitted(Turn turn) {
        Outcome outcome = outcome(turn);
        assertThat(outcome).isInstanceOf(Admitted.class);
        return (Admitted) outcome;
    }

    static boolean release(PostgresAdmission engine, Admitted admitted) {
        return join(engine.release(admitted.task(), admitted.epoch()));
    }

    /** Mirror, tables and journal of every engine say the same. */
    void assertNoDrift() {
        for (PostgresAdmission engine : engines) {
            if (!engine.isClosed()) {
                assertThat(join(engine.audit())).as("drift").isZero();
                assertThat(engine.driftTotal()).as("drift in all").isZero();
            }
        }
    }

    @Override
    public void close() throws SQLException {
        engines.forEach(PostgresAdmission::close);
        schema.close();
    }
}
