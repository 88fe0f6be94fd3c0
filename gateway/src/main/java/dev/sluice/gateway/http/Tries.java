package dev.sluice.gateway.http;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The providers that a task has been sent to. */
final class Tries {
    private static final int MAX = 3;
    private static final Set<Integer> RETRIED = Set.of(429, 502, 503, 504, 529);

    private Set<String> providers;
    private int tried;

    /** @param avoided providers that are no candidates from the start */
    Tries(Set<String> avoided) {
        providers = avoided;
    }

    /** Whether an upstream that answered so may be followed by another; 500 and 4xx are the client's to hear. */
    static boolean mayFollow(int status) {
        return status >= 429 && RETRIED.contains(status);
    }

    void add(String provider) {
        tried++;
        providers = providers.isEmpty()
                ? Set.of(provider)
                : Stream.concat(providers.stream(), Stream.of(provider)).collect(Collectors.toUnmodifiableSet());
    }

    /** Those that were tried, and those that are no candidates. */
    Set<String> providers() {
        return providers;
    }

    /** Whether the route has a provider that was not tried, and one more try is allowed. */
    boolean anotherOf(Optional<Route> route) {
        return tried < MAX
                && route.filter(known -> !providers.containsAll(known.providers()))
                        .isPresent();
    }
}
