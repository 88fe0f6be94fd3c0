package dev.sluice.admission.races;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.MemoryAdmission;
import dev.sluice.admission.Outcome;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.RoutePolicy;
import dev.sluice.admission.Routing;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.Snapshot;
import dev.sluice.admission.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Threads that ask, wait, run and release as fast as they can: never too many at once, and never one forgotten. */
class ExclusionTest {
    private static final Scope MODEL = Scope.platformModel("on-prem", "a");
    private static final Scope GROUP = Scope.userGroup("g");

    private final AtomicLong tasks = new AtomicLong();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    private UUID task() {
        return new UUID(0x7000L, 0x8000_0000_0000_0000L | tasks.incrementAndGet());
    }

    private Ask ask(Scope... scopes) {
        List<Demand> demands = List.of(scopes).stream().map(Demand::one).toList();
        return Ask.sync(task(), "w", "here", 100, demands);
    }

    /** Every thread does so many cycles; one that waits in vain fails the test. */
    private void cycles(MemoryAdmission admission, int threads, int cycles, IntFunction<Ask> asks) {
        try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> done = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int number = thread;
                done.add(workers.submit(() -> {
                    for (int cycle = 0; cycle < cycles; cycle++) {
                        cycle(admission, asks.apply(number));
                    }
                    return number;
                }));
            }
            for (Future<?> each : done) {
                each.get(Racers.PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (ExecutionException | InterruptedException | TimeoutException e) {
            throw new AssertionError("a task was forgotten: " + admission.snapshot(), e);
        }
    }

    private void cycle(MemoryAdmission admission, Ask ask)
            throws ExecutionException, InterruptedException, TimeoutException {
        Turn turn = admission.submit(ask);
        Outcome outcome = turn.outcome().toCompletableFuture().get(Racers.PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(outcome).isInstanceOf(Admitted.class);
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        Thread.yield();
        running.decrementAndGet();
        assertThat(admission.release(ask.task(), ((Admitted) outcome).epoch())).isCompletedWithValue(true);
    }

    private static void assertIdle(MemoryAdmission admission) {
        Snapshot snapshot = admission.snapshot();
        assertThat(snapshot.queueDepth()).isZero();
        assertThat(snapshot.scopes()).isNotEmpty().allMatch(view -> view.active() == 0);
        assertThat(snapshot.providers()).allMatch(view -> view.inFlight() == 0);
    }

    @Test
    void aHundredThousandEnqueuesAndReleasesLoseNoWakeUp() {
        MemoryAdmission admission = MemoryAdmission.manual(
                Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(10)), () -> 0);

        cycles(admission, 2, 50_000, thread -> ask(MODEL));

        assertIdle(admission);
        assertThat(admission.totals().admitted()).isEqualTo(100_000);
    }

    @Test
    void thirtyTwoThreadsOfALimitOfOneNeverRunTwoAtOnce() {
        MemoryAdmission admission = MemoryAdmission.manual(
                Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(100)), () -> 0);

        cycles(admission, 32, 1_000, thread -> ask(MODEL, GROUP));

        assertThat(most).hasValue(1);
        assertIdle(admission);
    }

    @Test
    void aLimitThatIsReloadedUnderLoadIsNeverPassed() {
        Policies three = Policies.NONE.with(MODEL, ScopePolicy.limit(3).queue(100));
        MemoryAdmission admission = MemoryAdmission.manual(three, () -> 0);
        Random random = new Random(5);

        cycles(admission, 16, 1_000, thread -> {
            if (thread == 0) {
                admission.configure(Policies.NONE.with(
                        MODEL, ScopePolicy.limit(1 + random.nextInt(3)).queue(100)));
            }
            return ask(MODEL);
        });

        assertThat(most.get()).isBetween(2, 3);
        assertIdle(admission);
    }

    @Test
    void aProviderThatFlapsUnderLoadNeverRunsMoreThanItsCapacity() {
        Policies policies =
                Policies.NONE.with(ProviderPolicy.of("gpu", 2)).with(RoutePolicy.of("chat", MODEL, List.of("gpu")));
        MemoryAdmission admission = MemoryAdmission.manual(policies, () -> 0);
        AtomicInteger flaps = new AtomicInteger();

        cycles(admission, 16, 1_000, thread -> {
            if (thread == 0) {
                admission.providerUp("gpu", false);
                flaps.incrementAndGet();
                admission.providerUp("gpu", true);
            }
            return ask(GROUP).on(Routing.to("chat"));
        });

        assertThat(flaps).hasValue(1_000);
        assertThat(most).hasValue(2);
        assertIdle(admission);
    }

    @Test
    void aReleaseAmongAThousandWaitersOfTenGroupsWakesOne() {
        MemoryAdmission admission = MemoryAdmission.manual(
                Policies.NONE.with(MODEL, ScopePolicy.limit(1).queue(2_000)), () -> 0);
        AtomicInteger woken = new AtomicInteger();
        Turn first = admission.submit(ask(MODEL));
        List<Turn> waiters = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Turn turn = admission.submit(ask(MODEL, Scope.userGroup("g" + i % 10)));
            turn.outcome().thenAccept(any -> woken.incrementAndGet());
            waiters.add(turn);
        }

        Turn running = first;
        for (int released = 0; released < 1_000; released++) {
            assertThat(woken).hasValue(released);
            Admitted admitted = admitted(running).orElseThrow();
            admission.release(admitted.task(), admitted.epoch());
            running = waiters.get(released);
        }
        assertThat(woken).hasValue(1_000);
    }

    private static Optional<Admitted> admitted(Turn turn) {
        return turn.outcome().toCompletableFuture().getNow(null) instanceof Admitted admitted
                ? Optional.of(admitted)
                : Optional.empty();
    }
}
