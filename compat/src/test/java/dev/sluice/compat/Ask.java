package dev.sluice.compat;

import java.util.Map;

/**
 * One request as a user of a client makes it.
 *
 * @param headers beside the client's own
 * @param wrongStop sends a number as {@code stop}, which no client checks itself
 * @param retries how often the client may repeat it on its own
 */
record Ask(String key, String model, String prompt, Map<String, String> headers, boolean wrongStop, int retries) {
    static final int TOKENS_MAX = 12;

    static Ask of(String key, String model) {
        return new Ask(key, model, "How does a lock raise a ship?", Map.of(), false, 0);
    }

    Ask prompt(String changed) {
        return new Ask(key, model, changed, headers, wrongStop, retries);
    }

    Ask header(String name, String value) {
        return new Ask(key, model, prompt, Map.of(name, value), wrongStop, retries);
    }

    Ask withWrongStop() {
        return new Ask(key, model, prompt, headers, true, retries);
    }

    Ask retries(int changed) {
        return new Ask(key, model, prompt, headers, wrongStop, changed);
    }
}
