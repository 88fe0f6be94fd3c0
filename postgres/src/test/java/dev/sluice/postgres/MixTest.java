package dev.sluice.postgres;

import static dev.sluice.postgres.Ledgers.MODEL;
import static dev.sluice.postgres.Ledgers.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.Held;
import dev.sluice.admission.Mode;
import dev.sluice.admission.Outcome;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.ProviderState;
import dev.sluice.admission.RoutePolicy;
import dev.sluice.admission.Routing;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A random mix of all operations by many threads in two processes")
class MixTest {
    private static final int THREADS = 12;
    private static final int STEPS = Integer.getInteger("mix.steps", 300);
    /** So short that leases end on the way. */
    private static final Duration LEASE = Duration.ofMillis(150);

    private static final Scope GROUP = Scope.userGroup("research");
    private static final Policies POLICIES = Policies.NONE
            .with(MODEL, ScopePolicy.limit(3).queue(1_000).leaseTtl(LEASE))
            .with(GROUP, ScopePolicy.limit(4).queue(1_000))
            .with(ProviderPolicy.of("p1", 2), ProviderPolicy.of("p2", 2))
            .with(RoutePolicy.of("large", MODEL, List.of("p1", "p2")));

    private final long seed = Long.getLong("mix.seed", System.nanoTime());
    private final Map<UUID, Held> held = new ConcurrentHashMap<>();
    private final List<UUID> asked = new ArrayList<>();

    /** Of the whole server; a session tells of its own when it ends. */
    private static long deadlocks(Ledgers ledgers) throws Exception {
        return ledgers.schema.number("select deadlocks::int from pg_stat_database where datname = current_database()");
    }

    private synchronized UUID anyTask(SplittableRandom random) {
        return asked.isEmpty() ? new UUID(0, 1) : asked.get(random.nextInt(asked.size()));
    }

    private synchronized void remember(UUID task) {
        asked.add(task);
    }

    private Ask ask(Ledgers ledgers, String holder, SplittableRandom random) {
        Ask ask = ledgers.ask(holder);
        List<Demand> demands = random.nextBoolean() ? List.of(Demand.one(GROUP)) : List.of();
        Mode mode = random.nextInt(4) == 0 ? Mode.ASYNC : ask.mode();
        return new Ask(
                ask.task(),
                mode,
                random.nextInt(3),
                demands,
                java.util.Optional.of(Routing.to("large")),
                ask.maxWait(),
                "");
    }

    private void step(Ledgers ledgers, PostgresAdmission engine, String holder, SplittableRandom random) {
        UUID task = anyTask(random);
        Held lease = held.getOrDefault(task, new Held(task, 1));
        switch (random.nextInt(15)) {
            case 0, 1, 2, 3 -> {
                Ask ask = ask(ledgers, holder, random);
                remember(ask.task());
                noted(engine.submit(ask));
            }
            case 4, 5, 6, 7 -> join(engine.release(lease.task(), lease.epoch()));
            case 8 -> join(engine.renew(List.of(lease, new Held(anyTask(random), 1))));
            case 9 -> join(engine.cancel(task, Eviction.CANCELLED));
            case 10 -> join(engine.changePriority(task, random.nextInt(3)));
            case 11 -> noted(engine.failOver(ask(ledgers, holder, random), lease.epoch()));
            case 12 ->
                join(engine.operate(
                        random.nextBoolean() ? "p1" : "p2",
                        random.nextInt(3) == 0 ? ProviderState.DRAINING : ProviderState.ENABLED));
            case 13 -> join(engine.configure(POLICIES));
            default -> join(engine.audit());
        }
    }

    private void noted(Turn turn) {
        Ledgers.decision(turn);
        turn.outcome().thenAccept(this::noted);
    }

    private void noted(Outcome outcome) {
        if (outcome instanceof Admitted admitted) {
            held.put(admitted.task(), new Held(admitted.task(), admitted.epoch()));
        }
    }

    @Test
    @DisplayName("meets no deadlock, drifts nowhere and leaks nothing")
    void mix() throws Exception {
        play(STEPS, (ledgers, engine) -> (holder, random) -> step(ledgers, engine, holder, random));
    }

    @Test
    @DisplayName("meets none while tasks are kept, picked up, ended, tried again, cancelled, given up and deleted")
    void mixWithTasks() throws Exception {
        play(STEPS / 2, (ledgers, engine) -> {
            TaskMix tasks = new TaskMix(ledgers.schema, engine);
            return (holder, random) -> {
                if (random.nextInt(3) == 0) {
                    step(ledgers, engine, holder, random);
                } else {
                    tasks.step(holder, random).ifPresent(this::remember);
                }
            };
        });
    }

    private interface Steps {
        void step(String holder, SplittableRandom random) throws Exception;
    }

    private void play(int steps, BiFunction<Ledgers, PostgresAdmission, Steps> mixes) throws Exception {
        System.out.println("MixTest plays -Dmix.seed=" + seed);
        try (Ledgers ledgers = Ledgers.create();
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            long before = deadlocks(ledgers);
            PostgresAdmission one = ledgers.open("one", POLICIES);
            PostgresAdmission two = ledgers.open("two", POLICIES);
            List<Steps> mixed = List.of(mixes.apply(ledgers, one), mixes.apply(ledgers, two));
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                SplittableRandom random = new SplittableRandom(seed + i);
                int which = i % 2;
                all.add(threads.submit(() -> {
                    for (int step = 0; step < steps; step++) {
                        mixed.get(which).step(which == 0 ? "one" : "two", random);
                    }
                    return which;
                }));
            }
            for (Future<?> thread : all) {
                thread.get(Ledgers.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }

            assertThat(one.totals().leasesExpired() + two.totals().leasesExpired())
                    .as("leases that ended on the way")
                    .isPositive();
            ledgers.assertNoDrift();
            for (UUID task : asked) {
                join(one.cancel(task, Eviction.CANCELLED));
            }
            await().atMost(Ledgers.PATIENCE)
                    .until(() -> ledgers.schema.count("active")
                                    + ledgers.schema.count("waiting")
                                    + ledgers.schema.count("job")
                            == 0);
            assertThat(one.snapshot().scopes())
                    .allSatisfy(scope -> assertThat(scope.active()).isZero());
            ledgers.assertNoDrift();
            one.close();
            two.close();
            assertThat(deadlocks(ledgers)).isEqualTo(before);
        }
    }
}
