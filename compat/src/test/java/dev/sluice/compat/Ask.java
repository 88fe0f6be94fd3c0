package dev.sluice.compat;

import java.time.Duration;
import java.util.Map;

/**
 * One request as a user of a client makes it.
 *
 * @param headers beside the client's own
 * @param wrongStop sends a number as {@code stop}, which no client checks itself
 * @param retries how often the client may repeat it on its own
 * @param patience after which the client gives up
 */
record Ask(
        String key,
        String model,
        String prompt,
        Map<String, String> headers,
        boolean wrongStop,
        int retries,
        Duration patience) {
    static final int TOKENS_MAX = 12;

    static Ask of(String key, String model) {
        return new Ask(key, model, "How does a lock raise a ship?", Map.of(), false, 0, Duration.ofSeconds(30));
    }

    Ask prompt(String changed) {
        return new Ask(key, model, changed, headers, wrongStop, retries, patience);
    }

    Ask header(String name, String value) {
        return new Ask(key, model, prompt, Map.of(name, value), wrongStop, retries, patience);
    }

    Ask withWrongStop() {
        return new Ask(key, model, prompt, headers, true, retries, patience);
    }

    Ask retries(int changed) {
        return new Ask(key, model, prompt, headers, wrongStop, changed, patience);
    }

    Ask patience(Duration changed) {
        return new Ask(key, model, prompt, headers, wrongStop, retries, changed);
    }
}
