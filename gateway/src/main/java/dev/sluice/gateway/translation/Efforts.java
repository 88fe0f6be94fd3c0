package dev.sluice.gateway.translation;

import java.util.List;
import java.util.Optional;

/** How hard the model thinks: words that both APIs have. */
final class Efforts {
    static final List<String> NAMES = List.of("low", "medium", "high", "xhigh", "max");

    private Efforts() {}

    static Optional<String> same(String effort) {
        return NAMES.contains(effort) ? Optional.of(effort) : Optional.empty();
    }
}
