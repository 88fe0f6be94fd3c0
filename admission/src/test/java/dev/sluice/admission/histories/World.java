package dev.sluice.admission.histories;

import dev.sluice.admission.Amount;
import dev.sluice.admission.DispatchPolicy;
import dev.sluice.admission.Ordering;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.QueueingPolicy;
import dev.sluice.admission.Reserve;
import dev.sluice.admission.RoutePolicy;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * What a history plays with: two platforms with two models each, groups, workers, a scope of an embedder, and providers
 * that several routes share.
 *
 * @param ordering kept through all reloads of one history
 * @param maxOvertakes so large that nobody starves where there are long requests or reserved slots: whether a task is
 *     short of a slot of its own sort only is known to the engine as of its last look, which a naive scan cannot know
 */
record World(Ordering ordering, int maxOvertakes, boolean longRequests, boolean reserves) {
    static final List<Scope> MODELS = List.of(
            Scope.platformModel("cloud", "a"),
            Scope.platformModel("on-prem", "a"),
            Scope.platformModel("on-prem", "b"));
    static final List<Scope> OTHERS =
            List.of(Scope.userGroup("g1"), Scope.userGroup("g2"), Scope.workerCapacity(), new Scope("licence", "seat"));
    static final List<String> PROVIDERS = List.of("p1", "p2", "p3", "p4");
    static final List<String> ROUTES = List.of("chat", "code", "embed");
    static final List<String> HOLDERS = List.of("h1", "h2");

    static World of(Random random) {
        boolean longRequests = random.nextInt(3) == 0;
        boolean reserves = random.nextInt(3) == 0;
        return new World(
                random.nextInt(4) == 0 ? Ordering.STRICT : Ordering.WORK_CONSERVING,
                longRequests || reserves ? 1_000_000 : 1 + random.nextInt(4),
                longRequests,
                reserves);
    }

    Policies policies(Random random) {
        Policies policies = Policies.NONE.with(new QueueingPolicy(
                ordering,
                maxOvertakes,
                Duration.ofSeconds(60 + random.nextInt(3) * 60L),
                Duration.ofSeconds(15),
                dispatch(random)));
        for (Scope scope : MODELS) {
            policies = policies.with(scope, scope(random));
        }
        for (Scope scope : OTHERS) {
            policies = random.nextInt(6) == 0 ? policies : policies.with(scope, scope(random));
        }
        for (String id : PROVIDERS) {
            if (random.nextInt(10) > 0) {
                int capacity = 1 + random.nextInt(3);
                policies = policies.with(new ProviderPolicy(
                        id,
                        capacity,
                        longRequests ? random.nextInt(3) : 0,
                        random.nextInt(2),
                        random.nextInt(12) > 0,
                        reserves ? reserve(capacity, random) : Reserve.NONE));
            }
        }
        for (String id : ROUTES) {
            if (random.nextInt(15) > 0) {
                policies = policies.with(route(id, random));
            }
        }
        return policies;
    }

    private static Reserve reserve(int capacity, Random random) {
        int sync = random.nextInt(capacity);
        return new Reserve(sync, random.nextInt(sync == 0 ? capacity : capacity - sync + 1));
    }

    private static ScopePolicy scope(Random random) {
        int limit = random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(7);
        return new ScopePolicy(
                Amount.units(limit),
                random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(6),
                Duration.ofSeconds(10 + random.nextInt(4) * 10L),
                Duration.ofSeconds(20 + random.nextInt(3) * 20L),
                "",
                Map.of());
    }

    private static DispatchPolicy dispatch(Random random) {
        return new DispatchPolicy(random.nextInt(5), Duration.ofSeconds(random.nextInt(3) * 10L));
    }

    private static RoutePolicy route(String id, Random random) {
        List<RoutePolicy.Entry> entries = new ArrayList<>();
        List<Scope> models = new ArrayList<>(MODELS);
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            Scope model = models.remove(random.nextInt(models.size()));
            List<String> providers =
                    PROVIDERS.stream().filter(any -> random.nextBoolean()).toList();
            entries.add(new RoutePolicy.Entry(
                    model,
                    providers.isEmpty() ? List.of("p1") : providers,
                    Duration.ofSeconds(i == 0 || random.nextBoolean() ? 0 : 5L * (1 + random.nextInt(2)))));
        }
        return new RoutePolicy(id, entries, random.nextInt(3) == 0 ? Optional.of(dispatch(random)) : Optional.empty());
    }
}
