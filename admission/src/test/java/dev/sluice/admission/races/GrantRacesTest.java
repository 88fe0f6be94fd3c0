package dev.sluice.admission.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Evicted;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.MemoryAdmission;
import dev.sluice.admission.Outcome;
import dev.sluice.admission.Policies;
import dev.sluice.admission.Rejected;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.Snapshot;
import dev.sluice.admission.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Grant, timeout, cancel, takeover and release meet in every order; each claim ends once and nothing leaks. */
class GrantRacesTest {
    private static final int LANES = 100;
    private static final Duration STEP = Duration.ofMillis(1);

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong tasks = new AtomicLong();
    private final MemoryAdmission admission = MemoryAdmission.manual(policies(), nanos::get);

    private final Turn[] holders = new Turn[LANES];
    private final Turn[] waiters = new Turn[LANES];

    private static Policies policies() {
        Policies policies = Policies.NONE;
        for (int lane = 0; lane < LANES; lane++) {
            policies = policies.with(scope(lane), ScopePolicy.limit(1).queue(10));
        }
        return policies;
    }

    private static Scope scope(int lane) {
        return Scope.userGroup("lane-" + lane);
    }

    private Ask ask(int lane, String waiter) {
        UUID task = new UUID(0x7000L, 0x8000_0000_0000_0000L | tasks.incrementAndGet());
        return Ask.sync(task, waiter, "here", 100, List.of(Demand.one(scope(lane))));
    }

    /** In every lane somebody runs and somebody waits. */
    private void prepare() {
        for (int lane = 0; lane < LANES; lane++) {
            holders[lane] = admission.submit(ask(lane, "first"));
            waiters[lane] = admission.submit(ask(lane, "second").within(MaxWait.atMost(STEP.multipliedBy(lane + 1))));
        }
    }

    /** Does its part in every lane, beginning anywhere, so that the others are met before, in and after their part. */
    private static IntConsumer everyLane(int seed, IntConsumer part) {
        Random random = new Random(seed);
        return heat -> {
            int shift = random.nextInt(4);
            IntStream.range(0, LANES).map(i -> (i + shift) % LANES).forEach(part);
        };
    }

    private boolean release(Turn turn) {
        return outcome(turn) instanceof Admitted admitted && now(admission.release(admitted.task(), admitted.epoch()));
    }

    private static Outcome outcome(Turn turn) {
        Outcome outcome = turn.outcome().toCompletableFuture().getNow(null);
        assertThat(outcome).as("outcome of %s", turn.task()).isNotNull();
        return outcome;
    }

    private static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private void assertNothingIsHeldOrWaits() {
        Snapshot snapshot = admission.snapshot();
        assertThat(snapshot.queueDepth()).isZero();
        assertThat(snapshot.scopes()).allMatch(view -> view.active() == 0);
    }

    @Test
    void grantAndTimeoutAndCancelRaceAHundredThousandTimesWithoutALeak() {
        AtomicInteger grants = new AtomicInteger();
        Map<Eviction, Integer> evicted = new EnumMap<>(Eviction.class);
        Runnable judge = () -> {
            for (Turn waiter : waiters) {
                switch (outcome(waiter)) {
                    case Admitted any -> grants.incrementAndGet();
                    case Evicted gone -> evicted.merge(gone.reason(), 1, Integer::sum);
                    case Rejected refused -> throw new AssertionError(refused);
                }
                // A canceller that came after the grant has released it already.
                release(waiter);
            }
            assertNothingIsHeldOrWaits();
        };

        Racers.race(
                1_000,
                this::prepare,
                judge,
                List.of(
                        everyLane(1, lane -> assertThat(release(holders[lane])).isTrue()),
                        everyLane(2, lane -> now(admission.cancel(waiters[lane].task(), Eviction.CANCELLED))),
                        everyLane(3, lane -> {
                            nanos.addAndGet(STEP.toNanos());
                            admission.tick();
                        })));

        assertThat(grants).hasPositiveValue();
        assertThat(evicted.keySet()).containsExactlyInAnyOrder(Eviction.QUEUE_TIMEOUT, Eviction.CANCELLED);
        int ends = grants.get()
                + evicted.values().stream().mapToInt(Integer::intValue).sum();
        assertThat(ends).isEqualTo(100_000);
    }

    @Test
    void ofTwoReleasesOfOneEpochOneFrees() {
        AtomicInteger freed = new AtomicInteger();
        IntConsumer releasing = lane -> {
            if (release(holders[lane])) {
                freed.incrementAndGet();
            }
        };

        Racers.race(
                200,
                this::prepare,
                () -> {
                    for (Turn waiter : waiters) {
                        assertThat(release(waiter)).isTrue();
                    }
                    assertNothingIsHeldOrWaits();
                },
                List.of(everyLane(1, releasing), everyLane(2, releasing), everyLane(3, releasing)));

        assertThat(freed).hasValue(200 * LANES);
    }

    @Test
    void aTakeoverThatRacesWithTheGrantLeavesOneOwner() {
        Ask[] asks = new Ask[LANES];
        Turn[] taken = new Turn[LANES];
        AtomicInteger superseded = new AtomicInteger();
        Runnable prepare = () -> {
            for (int lane = 0; lane < LANES; lane++) {
                holders[lane] = admission.submit(ask(lane, "first"));
                asks[lane] = ask(lane, "second");
                waiters[lane] = admission.submit(asks[lane]);
            }
        };
        Runnable judge = () -> {
            for (int lane = 0; lane < LANES; lane++) {
                List<Outcome> outcomes = List.of(outcome(waiters[lane]), outcome(taken[lane]));
                assertThat(outcomes).filteredOn(Admitted.class::isInstance).hasSize(1);
                superseded.addAndGet(outcomes.getFirst() instanceof Evicted ? 1 : 0);
                assertThat(release(waiters[lane]) ^ release(taken[lane])).isTrue();
            }
            assertNothingIsHeldOrWaits();
        };

        Racers.race(
                200,
                prepare,
                judge,
                List.of(everyLane(1, lane -> assertThat(release(holders[lane])).isTrue()), everyLane(2, lane -> {
                    Ask ask = asks[lane];
                    taken[lane] =
                            admission.submit(Ask.sync(ask.task(), "third", "here", ask.priority(), ask.demands()));
                })));

        assertThat(superseded).hasPositiveValue();
    }

    @Test
    void everyClaimEndsWhenTheEngineClosesAmongSubmits() {
        MemoryAdmission[] engine = new MemoryAdmission[1];
        List<Turn> turns = Collections.synchronizedList(new ArrayList<>());
        IntConsumer submitting = heat -> {
            for (int lane = 0; lane < 10; lane++) {
                turns.add(engine[0].submit(ask(0, "any")));
            }
        };

        Racers.race(
                1_000,
                () -> {
                    turns.clear();
                    engine[0] = MemoryAdmission.manual(policies(), nanos::get);
                },
                () -> {
                    assertThat(turns).hasSize(20);
                    assertThat(turns.stream().filter(turn -> outcome(turn) instanceof Admitted))
                            .hasSizeLessThanOrEqualTo(1);
                },
                List.of(submitting, submitting, heat -> engine[0].close()));
    }
}
