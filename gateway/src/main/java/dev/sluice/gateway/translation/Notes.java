package dev.sluice.gateway.translation;

import java.util.Set;
import java.util.TreeSet;

/**
 * Hints that were set aside: they have no counterpart and do not change the answer. The client is told in the header
 * {@code x-untranslated}.
 */
final class Notes {
    private final Set<String> names = new TreeSet<>();

    /** Providers of the OpenAI API cache prefixes by themselves, and cannot be told where. */
    void cacheControl(Fields fields) {
        if (fields.take("cache_control").isPresent()) {
            names.add("cache_control");
        }
    }

    String text() {
        return String.join(", ", names);
    }
}
