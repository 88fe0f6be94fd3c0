package dev.sluice.gateway.http;

import dev.sluice.gateway.translation.Translation;
import dev.sluice.gateway.translation.Untranslatable;
import java.util.Optional;
import java.util.Set;

/** Which providers of a route can take a request: those that speak its API, and the others if it can be translated. */
sealed interface Fit {
    /** @param providers those that cannot take it; the others can */
    record Avoiding(Set<String> providers) implements Fit {}

    record None(Problem problem) implements Fit {}

    /**
     * Takes as long as reading the body.
     *
     * @param foreign the providers of the route that do not speak the request's API
     * @param path below a provider's base URL
     */
    static Fit of(Route route, Set<String> foreign, String path, byte[] body) {
        Optional<Untranslatable> refusal = Translation.refusal(path, body);
        if (refusal.isEmpty()) {
            return new Avoiding(Set.of());
        }
        if (!foreign.containsAll(route.providers())) {
            return new Avoiding(foreign);
        }
        Problem problem = Problem.of(Fault.INVALID_REQUEST, refusal.get().reason());
        String param = refusal.get().param();
        return new None(param.isEmpty() ? problem : problem.at(param));
    }
}
