package dev.sluice.gateway.config;

import dev.sluice.admission.Amount;
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
import java.util.Optional;
import java.util.stream.Collectors;

/** The configuration in the ledger's words: scopes, providers and routes. */
public final class LedgerPolicies {
    private LedgerPolicies() {}

    public static Policies of(Configuration configuration) {
        return new Policies(
                scopes(configuration), providers(configuration), routes(configuration), queueing(configuration));
    }

    private static Map<Scope, ScopePolicy> scopes(Configuration configuration) {
        Map<Scope, ScopePolicy> scopes = new HashMap<>();
        for (Group group : configuration.groups()) {
            scopes.put(Scope.userGroup(group.id()), scope(group.concurrency(), group.id()));
        }
        for (Model model : configuration.models()) {
            for (ServedBy entry : model.servedBy()) {
                scopes.put(platformModel(entry), scope(entry.concurrency(), entry.scopeKey()));
            }
        }
        scopes.put(
                Scope.workerCapacity(),
                ScopePolicy.limit(configuration.workers().slots()));
        return scopes;
    }

    private static ScopePolicy scope(Concurrency concurrency, String name) {
        return new ScopePolicy(
                Amount.units(concurrency.limit()),
                concurrency.queue(),
                concurrency.maxWait(),
                concurrency.leaseTtl(),
                name,
                Map.of());
    }

    private static Map<String, ProviderPolicy> providers(Configuration configuration) {
        return configuration.platforms().stream()
                .flatMap(platform -> platform.providers().stream())
                .map(provider -> new ProviderPolicy(
                        provider.id(),
                        provider.capacity(),
                        provider.longContextCapacity(),
                        provider.priority(),
                        provider.enabled(),
                        provider.reserve()))
                .collect(Collectors.toMap(ProviderPolicy::id, policy -> policy));
    }

    private static Map<String, RoutePolicy> routes(Configuration configuration) {
        Map<String, List<String>> candidates = configuration.platforms().stream()
                .collect(Collectors.toMap(
                        Platform::id,
                        platform ->
                                platform.providers().stream().map(Provider::id).toList()));
        return configuration.models().stream()
                .map(model -> new RoutePolicy(
                        model.id(), entries(model, candidates), model.dispatch().map(LedgerPolicies::dispatch)))
                .collect(Collectors.toMap(RoutePolicy::id, route -> route));
    }

    // In the file an entry says when a task may go on to later ones; in the ledger an entry says when it may be taken.
    private static List<RoutePolicy.Entry> entries(Model model, Map<String, List<String>> candidates) {
        List<RoutePolicy.Entry> entries = new ArrayList<>();
        Duration from = Duration.ZERO;
        for (ServedBy entry : model.servedBy()) {
            List<String> providers =
                    Optional.ofNullable(candidates.get(entry.platform())).orElse(List.of());
            entries.add(new RoutePolicy.Entry(platformModel(entry), providers, from));
            from = from.compareTo(entry.spillAfter()) > 0 ? from : entry.spillAfter();
        }
        return entries;
    }

    private static Scope platformModel(ServedBy entry) {
        return Scope.platformModel(entry.platform(), entry.model());
    }

    private static QueueingPolicy queueing(Configuration configuration) {
        Queueing queueing = configuration.queueing();
        return new QueueingPolicy(
                switch (queueing.ordering()) {
                    case WORK_CONSERVING -> dev.sluice.admission.Ordering.WORK_CONSERVING;
                    case STRICT -> dev.sluice.admission.Ordering.STRICT;
                },
                queueing.maxOvertakes(),
                queueing.asyncMaxWait(),
                QueueingPolicy.DEFAULT.waiterLease(),
                dispatch(configuration.dispatch()));
    }

    private static DispatchPolicy dispatch(Dispatch dispatch) {
        return new DispatchPolicy(dispatch.maxQueue(), dispatch.queueTimeout());
    }
}
