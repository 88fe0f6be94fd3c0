package dev.sluice.bench.ledger;

import dev.sluice.admission.DispatchPolicy;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.QueueingPolicy;
import dev.sluice.admission.RoutePolicy;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The policies of the benchmarks. */
final class Setting {
    static final int MODEL_LIMIT = 8;
    private static final int GROUP_LIMIT = 1_000;
    private static final int QUEUE = 1_000_000;
    private static final Duration LONG = Duration.ofHours(24);

    private Setting() {}

    static Policies oneModel(int providers, int capacity) {
        List<ProviderPolicy> policies = new ArrayList<>();
        for (int i = 0; i < providers; i++) {
            policies.add(ProviderPolicy.of("gpu-" + i, capacity));
        }
        Scope model = Scope.platformModel("bench", "model-0");
        RoutePolicy route = RoutePolicy.of(
                "model-0", model, policies.stream().map(ProviderPolicy::id).toList());
        return Policies.NONE
                .with(QueueingPolicy.DEFAULT.dispatch(new DispatchPolicy(QUEUE, LONG)))
                .withProviders(policies)
                .with(route)
                .with(model, wide(1_000_000))
                .with(Scope.userGroup("group-0"), wide(1_000_000));
    }

    static Policies manyLines(int models, int groups) {
        Map<Scope, ScopePolicy> scopes = new HashMap<>();
        Map<String, ProviderPolicy> providers = new HashMap<>();
        Map<String, RoutePolicy> routes = new HashMap<>();
        for (int i = 0; i < models; i++) {
            String model = "model-" + i;
            String provider = "gpu-" + i;
            Scope scope = Scope.platformModel("bench", model);
            scopes.put(scope, wide(MODEL_LIMIT));
            providers.put(provider, ProviderPolicy.of(provider, 2 * MODEL_LIMIT));
            routes.put(model, RoutePolicy.of(model, scope, List.of(provider)));
        }
        for (int i = 0; i < groups; i++) {
            scopes.put(Scope.userGroup("group-" + i), wide(GROUP_LIMIT));
        }
        return new Policies(scopes, providers, routes, QueueingPolicy.DEFAULT);
    }

    private static ScopePolicy wide(int limit) {
        return ScopePolicy.limit(limit).queue(QUEUE).maxWait(LONG);
    }
}
