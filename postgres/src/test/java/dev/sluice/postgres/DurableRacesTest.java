package dev.sluice.postgres;

import static dev.sluice.postgres.Ledgers.join;
import static dev.sluice.postgres.Ledgers.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Evicted;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.Policies;
import dev.sluice.admission.Rejected;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.TaskIds;
import dev.sluice.admission.Turn;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Grant, timeout and cancellation of waiters race over two processes")
class DurableRacesTest {
    private static final int HEATS = 20;
    private static final int LANES = 100;
    private static final List<String> HOLDERS = List.of("one", "two");

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final TaskIds ids = new TaskIds(() -> 0);
    private Ledgers ledgers;
    private List<PostgresAdmission> engines;

    @BeforeEach
    void open() throws SQLException {
        ledgers = Ledgers.create();
        Policies policies = Policies.NONE;
        for (int lane = 0; lane < LANES; lane++) {
            policies = policies.with(scope(lane), ScopePolicy.limit(1).queue(10));
        }
        Policies all = policies;
        engines = HOLDERS.stream().map(holder -> ledgers.open(holder, all)).toList();
    }

    @AfterEach
    void close() throws SQLException {
        ledgers.close();
    }

    private static Scope scope(int lane) {
        return Scope.userGroup("lane-" + lane);
    }

    private PostgresAdmission any() {
        return engines.get(random.nextInt(engines.size()));
    }

    private Turn submit(int lane, MaxWait bound) {
        int which = random.nextInt(engines.size());
        Ask ask = Ask.sync(ids.next(), "waiter", HOLDERS.get(which), 100, List.of(Demand.one(scope(lane))));
        return engines.get(which).submit(ask.within(bound));
    }

    private static CompletionStage<Boolean> release(PostgresAdmission engine, Turn turn) {
        Admitted admitted = (Admitted) outcome(turn);
        return engine.release(admitted.task(), admitted.epoch());
    }

    /** Asks all in an order of its own, each of either process, and waits for the answers. */
    private Runnable racing(CyclicBarrier start, List<Turn> turns, Function<Turn, CompletionStage<?>> part) {
        List<Turn> shuffled = new ArrayList<>(turns);
        Collections.shuffle(shuffled, random);
        return () -> {
            try {
                start.await();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            shuffled.stream().map(part).toList().forEach(Ledgers::join);
        };
    }

    @Test
    @DisplayName("two thousand times: each waiter has one end, and every slot is free afterwards")
    void twoThousandTimes() throws Exception {
        System.out.println("seed " + seed);
        int grants = 0;
        int timeouts = 0;
        int cancellations = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int heat = 0; heat < HEATS; heat++) {
                List<Turn> holders = IntStream.range(0, LANES)
                        .mapToObj(lane -> submit(lane, MaxWait.INHERIT))
                        .toList();
                holders.forEach(Ledgers::admitted);
                // Some bounds end before the race, some in it, some after it.
                List<Turn> waiters = IntStream.range(0, LANES)
                        .mapToObj(lane -> submit(lane, MaxWait.atMost(Duration.ofMillis(1 + random.nextInt(60)))))
                        .toList();
                waiters.forEach(Ledgers::decision);
                CyclicBarrier start = new CyclicBarrier(2);
                PostgresAdmission releasing = any();
                PostgresAdmission cancelling = any();
                List<Future<?>> racers = List.of(
                        threads.submit(racing(start, holders, turn -> release(releasing, turn))),
                        threads.submit(racing(
                                start,
                                waiters.subList(0, LANES / 2),
                                turn -> cancelling.cancel(turn.task(), Eviction.CANCELLED))));
                for (Future<?> racer : racers) {
                    racer.get();
                }

                for (Turn waiter : waiters) {
                    switch (outcome(waiter)) {
                        case Admitted admitted -> {
                            grants++;
                            // A canceller that came after the grant has released it already.
                            join(any().release(admitted.task(), admitted.epoch()));
                        }
                        case Evicted evicted when evicted.reason() == Eviction.QUEUE_TIMEOUT -> timeouts++;
                        case Evicted evicted -> {
                            assertThat(evicted.reason()).isEqualTo(Eviction.CANCELLED);
                            cancellations++;
                        }
                        case Rejected refused -> throw new AssertionError(refused);
                    }
                }
                assertNothingIsHeldOrWaits();
            }
        }

        System.out.printf("%d grants, %d timeouts, %d cancellations%n", grants, timeouts, cancellations);
        assertThat(List.of(grants, timeouts, cancellations)).allMatch(count -> count > 0);
        assertThat(grants + timeouts + cancellations).isEqualTo(HEATS * LANES);
        assertThat(ledgers.schema.count("active") + ledgers.schema.count("waiting"))
                .isZero();
        ledgers.assertNoDrift();
    }

    private void assertNothingIsHeldOrWaits() {
        for (PostgresAdmission engine : engines) {
            engine.settled();
            assertThat(engine.snapshot().queueDepth()).isZero();
            assertThat(engine.snapshot().scopes()).allMatch(scope -> scope.active() == 0);
        }
    }
}
