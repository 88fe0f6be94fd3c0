package dev.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Evicted;
import dev.sluice.admission.Outcome;
import dev.sluice.admission.Policies;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.TaskIds;
import dev.sluice.admission.Turn;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two engines over one schema are one ledger. */
class TwoHoldersTest {
    private static final Scope MODEL = Scope.platformModel("on-prem", "large");
    private static final Policies ONE_AT_A_TIME =
            Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(1_000));

    private final TaskIds ids = new TaskIds(() -> 0);
    private LedgerSchema schema;
    private PostgresAdmission one;
    private PostgresAdmission two;

    @BeforeEach
    void start() throws SQLException {
        schema = LedgerSchema.create();
        one = started("one");
        two = started("two");
        // Each has heard of the other: from now on both write the journal.
        await().atMost(Duration.ofSeconds(20)).until(() -> one.isAvailable() && two.isAvailable());
    }

    @AfterEach
    void stop() throws SQLException {
        one.close();
        two.close();
        schema.close();
    }

    private PostgresAdmission started(String holder) {
        return PostgresAdmission.start(schema.source(), ONE_AT_A_TIME, Options.of(schema.name(), holder));
    }

    private Ask ask(String holder) {
        UUID task = ids.next();
        return Ask.sync(task, "waiter-" + task, holder, 100, List.of(Demand.one(MODEL)));
    }

    private static Outcome outcome(Turn turn) {
        return turn.outcome()
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    @Test
    void aReleaseInOneProcessStartsTheWaiterOfAnother() {
        Admitted running = (Admitted) outcome(one.submit(ask("one")));
        Turn waits = two.submit(ask("two"));
        waits.decision().toCompletableFuture().join();

        assertThat(one.release(running.task(), running.epoch())
                        .toCompletableFuture()
                        .join())
                .isTrue();

        assertThat(outcome(waits)).isInstanceOf(Admitted.class);
        assertThat(((Admitted) outcome(waits)).provisional()).isFalse();
    }

    @Test
    void theOrderIsThatOfArrivalWhoeverIsAsked() {
        Admitted running = (Admitted) outcome(one.submit(ask("one")));
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Turn turn = i % 2 == 0 ? two.submit(ask("two")) : one.submit(ask("one"));
            turn.decision().toCompletableFuture().join();
            turns.add(turn);
        }
        List<UUID> started = new ArrayList<>();
        one.release(running.task(), running.epoch()).toCompletableFuture().join();

        for (Turn turn : turns) {
            Admitted admitted = (Admitted) outcome(turn);
            started.add(admitted.task());
            assertThat(turns.stream()
                            .filter(other ->
                                    other.outcome().toCompletableFuture().isDone()))
                    .hasSize(started.size());
            two.release(admitted.task(), admitted.epoch()).toCompletableFuture().join();
        }

        assertThat(started)
                .containsExactlyElementsOf(turns.stream().map(Turn::task).toList());
    }

    @Test
    void thirtyTwoThreadsOverTwoProcessesNeverHoldALimitOfOneTwice() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(32)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                PostgresAdmission engine = i % 2 == 0 ? one : two;
                String holder = i % 2 == 0 ? "one" : "two";
                all.add(threads.submit(() -> {
                    for (int round = 0; round < 10; round++) {
                        Admitted admitted = (Admitted) outcome(engine.submit(ask(holder)));
                        most.accumulateAndGet(running.incrementAndGet(), Math::max);
                        // Long enough for another to come between, and the proof that it holds what it was given.
                        boolean holds = engine.renew(admitted.task(), admitted.epoch())
                                .toCompletableFuture()
                                .join();
                        assertThat(holds).isTrue();
                        running.decrementAndGet();
                        engine.release(admitted.task(), admitted.epoch())
                                .toCompletableFuture()
                                .join();
                        done.incrementAndGet();
                    }
                }));
            }
            for (Future<?> thread : all) {
                thread.get(120, TimeUnit.SECONDS);
            }
        }

        assertThat(most).hasValue(1);
        assertThat(done).hasValue(320);
        assertThat(schema.count("active")).isZero();
        assertThat(schema.count("waiting")).isZero();
    }

    @Test
    void aCutConnectionLosesAndLeaksNothing() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger admitted = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                PostgresAdmission engine = i % 2 == 0 ? one : two;
                String holder = i % 2 == 0 ? "one" : "two";
                all.add(threads.submit(() -> {
                    for (int round = 0; round < 25; round++) {
                        work(engine, holder, running, most, admitted);
                    }
                }));
            }
            for (int cut = 0; cut < 10; cut++) {
                int before = admitted.get();
                await().atMost(Duration.ofSeconds(60)).until(() -> admitted.get() > before + 5 || allDone(all));
                schema.cutConnections();
            }
            for (Future<?> thread : all) {
                thread.get(120, TimeUnit.SECONDS);
            }
        }

        assertThat(most).hasValue(1);
        await().atMost(Duration.ofSeconds(30)).until(() -> schema.count("active") + schema.count("waiting") == 0);
    }

    private static boolean allDone(List<Future<?>> threads) {
        return threads.stream().allMatch(Future::isDone);
    }

    /** An outage may be answered as one; then the task must not run later either. */
    private void work(
            PostgresAdmission engine, String holder, AtomicInteger running, AtomicInteger most, AtomicInteger count) {
        Outcome outcome;
        try {
            outcome = outcome(engine.submit(ask(holder)));
        } catch (java.util.concurrent.CompletionException away) {
            return;
        }
        if (outcome instanceof Admitted admitted) {
            count.incrementAndGet();
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            running.decrementAndGet();
            engine.release(admitted.task(), admitted.epoch())
                    .toCompletableFuture()
                    .join();
        } else {
            assertThat(outcome).isInstanceOf(Evicted.class);
        }
    }
}
