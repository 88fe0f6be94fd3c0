package dev.sluice.gateway.http;

import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.Mode;
import dev.sluice.admission.Routing;
import dev.sluice.admission.Scope;
import dev.sluice.gateway.config.Model;
import dev.sluice.gateway.config.ServedBy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * A public model as the data plane sees it.
 *
 * @param providers ids of every provider that may serve it
 * @param servedNames by the key of the platform model's scope: the quoted name that goes into the body
 */
record Route(Model model, Set<String> providers, Map<String, String> servedNames, Routing normal, Routing longer) {
    static Route of(Model model, Map<String, List<String>> providersByPlatform) {
        Set<String> providers = new HashSet<>();
        Map<String, String> names = new HashMap<>();
        for (ServedBy entry : model.servedBy()) {
            providers.addAll(providersByPlatform.getOrDefault(entry.platform(), List.of()));
            names.put(entry.scopeKey(), quoted(entry.model()));
        }
        return new Route(
                model,
                Set.copyOf(providers),
                Map.copyOf(names),
                new Routing(model.id(), model.amountThousandths(), false),
                new Routing(model.id(), model.amountThousandths(), true));
    }

    private static String quoted(String name) {
        return '"' + new String(JsonStringEncoder.getInstance().quoteAsCharArray(name)) + '"';
    }

    /** @param unfit providers that cannot take this request */
    Ask ask(UUID task, Mode mode, Tenant tenant, int priority, Wishes wishes, boolean isLong, Set<String> unfit) {
        return new Ask(
                task,
                mode,
                priority,
                List.of(new Demand(tenant.scope(), model.amountThousandths())),
                Optional.of(routing(isLong, unfit)),
                wishes.maxWait(),
                "");
    }

    /** Under the limits of the group, and of what executes tasks. */
    Ask asyncAsk(UUID task, Tenant tenant, int priority, MaxWait maxWait, boolean isLong, Set<String> unfit) {
        return new Ask(
                task,
                Mode.ASYNC,
                priority,
                List.of(new Demand(tenant.scope(), model.amountThousandths()), Demand.one(Scope.workerCapacity())),
                Optional.of(routing(isLong, unfit)),
                maxWait,
                "");
    }

    private Routing routing(boolean isLong, Set<String> unfit) {
        Routing routing = isLong ? longer : normal;
        return unfit.isEmpty() ? routing : routing.avoiding(unfit);
    }

    /** Of its platform models, in order of preference. */
    List<Scope> scopes() {
        return model.servedBy().stream()
                .map(entry -> Scope.platformModel(entry.platform(), entry.model()))
                .toList();
    }

    Optional<String> servedName(String scopeKey) {
        return Optional.ofNullable(servedNames.get(scopeKey));
    }
}
