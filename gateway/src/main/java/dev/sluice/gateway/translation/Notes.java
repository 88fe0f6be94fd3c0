package dev.sluice.gateway.translation;

import java.util.Set;
import java.util.TreeSet;

/**
 * What was set aside: it has no counterpart, and no provider of the other API could make use of it. The client is told
 * in the header {@code x-untranslated}.
 */
final class Notes {
    private final Set<String> names = new TreeSet<>();

    /** Providers of the OpenAI API cache prefixes by themselves, and cannot be told where. */
    void cacheControl(Fields fields) {
        if (fields.take("cache_control").isPresent()) {
            names.add("cache_control");
        }
    }

    /** Thoughts that only the provider that had them can read. */
    void redactedThinking(Fields block) throws Untranslatable {
        block.take("data");
        block.done();
        names.add("redacted_thinking");
    }

    /** There is no word for it that servers of models that never think take, too. */
    void noThinking() {
        names.add("thinking");
    }

    String text() {
        return String.join(", ", names);
    }
}
