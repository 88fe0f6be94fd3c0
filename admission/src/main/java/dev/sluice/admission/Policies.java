package dev.sluice.admission;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything the ledger is configured with, replaced as a whole by {@link Admission#configure}: limits never come with
 * a request, so two requests cannot disagree about them.
 */
public record Policies(
        Map<Scope, ScopePolicy> scopes,
        Map<String, ProviderPolicy> providers,
        Map<String, RoutePolicy> routes,
        QueueingPolicy queueing) {
    public static final Policies NONE = new Policies(Map.of(), Map.of(), Map.of(), QueueingPolicy.DEFAULT);

    public Policies {
        scopes = Map.copyOf(scopes);
        providers = Map.copyOf(providers);
        routes = Map.copyOf(routes);
    }

    /** The rules of a scope; {@link ScopePolicy#UNLIMITED} where none are given. */
    public ScopePolicy of(Scope scope) {
        return scopes.getOrDefault(scope, ScopePolicy.UNLIMITED);
    }

    /** With these rules for one scope, in the place of its earlier ones. */
    public Policies with(Scope scope, ScopePolicy policy) {
        Map<Scope, ScopePolicy> changed = new HashMap<>(scopes);
        changed.put(scope, policy);
        return new Policies(changed, providers, routes, queueing);
    }

    /** As {@link #withProviders}. */
    public Policies with(ProviderPolicy... changed) {
        return withProviders(List.of(changed));
    }

    /** With these providers beside the others, or in the place of those with their ids. */
    public Policies withProviders(Collection<ProviderPolicy> added) {
        Map<String, ProviderPolicy> changed = new HashMap<>(providers);
        added.forEach(provider -> changed.put(provider.id(), provider));
        return new Policies(scopes, changed, routes, queueing);
    }

    /** Without a provider: it gets no more work, and what runs on it counts until it ends. */
    public Policies without(String provider) {
        Map<String, ProviderPolicy> changed = new HashMap<>(providers);
        changed.remove(provider);
        return new Policies(scopes, changed, routes, queueing);
    }

    /** With this route beside the others, or in the place of the one with its id. */
    public Policies with(RoutePolicy route) {
        Map<String, RoutePolicy> changed = new HashMap<>(routes);
        changed.put(route.id(), route);
        return new Policies(scopes, providers, changed, queueing);
    }

    /** With other general rules. */
    public Policies with(QueueingPolicy changed) {
        return new Policies(scopes, providers, routes, changed);
    }
}
