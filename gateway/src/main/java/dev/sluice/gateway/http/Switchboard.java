package dev.sluice.gateway.http;

import dev.sluice.admission.Ask;
import dev.sluice.admission.MaxWait;
import dev.sluice.gateway.config.Configuration;
import dev.sluice.gateway.config.Group;
import dev.sluice.gateway.config.Model;
import dev.sluice.gateway.config.Platform;
import dev.sluice.gateway.config.Provider;
import dev.sluice.gateway.upstream.HttpUpstream;
import dev.sluice.gateway.upstream.Protocol;
import dev.sluice.gateway.upstream.SimulatedUpstream;
import dev.sluice.gateway.upstream.TranslatingUpstream;
import dev.sluice.gateway.upstream.Upstream;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One version of the configuration, made ready for look-ups on the hot path; replaced as a whole. */
public final class Switchboard {
    private record Endpoint(Provider provider, Upstream upstream) {}

    private final Configuration configuration;
    private final Keyring keyring;
    private final Map<String, Route> routes = new LinkedHashMap<>();
    private final Map<String, Endpoint> endpoints = new HashMap<>();
    private final Map<String, Tenant> tenants = new HashMap<>();
    private final Map<Protocol, Map<String, Set<String>>> foreign = new EnumMap<>(Protocol.class);

    private Switchboard(Configuration configuration, Map<String, Endpoint> former, InstantSource clock) {
        this.configuration = configuration;
        for (Group group : configuration.groups()) {
            tenants.put(group.id(), Tenant.of(group));
        }
        this.keyring = new Keyring(configuration.groups(), tenants);
        Map<String, List<String>> byPlatform = new HashMap<>();
        for (Platform platform : configuration.platforms()) {
            byPlatform.put(
                    platform.id(),
                    platform.providers().stream().map(Provider::id).toList());
            for (Provider provider : platform.providers()) {
                endpoints.put(provider.id(), endpoint(provider, former, clock));
            }
        }
        for (Model model : configuration.models()) {
            routes.put(model.id(), Route.of(model, byPlatform));
        }
        for (Protocol protocol : Protocol.values()) {
            Map<String, Set<String>> byModel = new HashMap<>();
            routes.forEach((id, route) -> byModel.put(id, foreign(route, protocol)));
            foreign.put(protocol, byModel);
        }
    }

    public static Switchboard of(Configuration configuration, InstantSource clock) {
        return new Switchboard(configuration, Map.of(), clock);
    }

    /** The next version; a provider whose settings did not change keeps its upstream and what that remembers. */
    public Switchboard next(Configuration changed, InstantSource clock) {
        return new Switchboard(changed, endpoints, clock);
    }

    private static Endpoint endpoint(Provider provider, Map<String, Endpoint> former, InstantSource clock) {
        Endpoint old = former.get(provider.id());
        if (old != null && old.provider.upstream().equals(provider.upstream())) {
            return new Endpoint(provider, old.upstream);
        }
        return new Endpoint(
                provider,
                switch (provider.upstream()) {
                    case dev.sluice.gateway.config.Upstream.OpenAi settings ->
                        new TranslatingUpstream(new HttpUpstream(settings), clock);
                    case dev.sluice.gateway.config.Upstream.Anthropic settings ->
                        new TranslatingUpstream(new HttpUpstream(settings), clock);
                    case dev.sluice.gateway.config.Upstream.Simulated settings ->
                        new SimulatedUpstream(settings, clock);
                });
    }

    public Configuration configuration() {
        return configuration;
    }

    Keyring keyring() {
        return keyring;
    }

    Optional<Tenant> tenant(String group) {
        return Optional.ofNullable(tenants.get(group));
    }

    Optional<Route> route(String model) {
        return Optional.ofNullable(routes.get(model));
    }

    /** In the order of the file. */
    Stream<Route> routes() {
        return routes.values().stream();
    }

    /**
     * What to ask the ledger for when a task is tried again; empty if its model or group is gone.
     *
     * @param tried providers that are avoided as long as there are others
     */
    public Optional<Ask> asyncAsk(
            UUID task, String group, String model, int priority, boolean isLong, Set<String> tried) {
        Tenant tenant = tenants.get(group);
        Route route = routes.get(model);
        if (tenant == null || route == null || !tenant.mayUse(route)) {
            return Optional.empty();
        }
        Set<String> avoided = tried.containsAll(route.providers()) ? Set.of() : tried;
        return Optional.of(route.asyncAsk(task, tenant, priority, MaxWait.INHERIT, isLong, avoided));
    }

    private Set<String> foreign(Route route, Protocol protocol) {
        return route.providers().stream()
                .filter(id -> {
                    Endpoint endpoint = endpoints.get(id);
                    return endpoint != null && !endpoint.upstream.protocols().contains(protocol);
                })
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Ids of the route's providers that do not speak the API of {@code path}. */
    Set<String> foreign(Route route, String path) {
        return foreign.getOrDefault(Protocol.of(path), Map.of())
                .getOrDefault(route.model().id(), Set.of());
    }

    Optional<Upstream> upstream(String provider) {
        return Optional.ofNullable(endpoints.get(provider)).map(Endpoint::upstream);
    }
}
