package dev.sluice.admission;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a public model is served: entries in order of preference.
 *
 * @param dispatch overrides the general dispatch policy
 */
public record RoutePolicy(String id, List<Entry> entries, Optional<DispatchPolicy> dispatch) {
    public RoutePolicy {
        if (id.isBlank() || entries.isEmpty()) {
            throw new IllegalArgumentException("a route needs an id and at least one entry");
        }
        entries = List.copyOf(entries);
    }

    /** One platform model, its candidates from the start, and the general dispatch policy. */
    public static RoutePolicy of(String id, Scope platformModel, List<String> providers) {
        return new RoutePolicy(id, List.of(new Entry(platformModel, providers, Duration.ZERO)), Optional.empty());
    }

    /**
     * One platform model that may serve the route.
     *
     * @param providers ids of the candidates; one that has no {@link ProviderPolicy} never gets work
     * @param spillAfter the entry is a candidate only once the task has waited so long; zero for at once
     */
    public record Entry(Scope platformModel, List<String> providers, Duration spillAfter) {
        public Entry {
            providers = List.copyOf(providers);
            if (spillAfter.isNegative()) {
                throw new IllegalArgumentException("spill-after must not be negative");
            }
        }
    }
}
