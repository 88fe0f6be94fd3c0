package dev.sluice.compat;

/**
 * One request as a user of a client makes it.
 *
 * @param wrongStop sends a number as {@code stop}, which no client checks itself
 * @param retries how often the client may repeat it on its own
 */
record Ask(String key, String model, String prompt, boolean wrongStop, int retries) {
    static final int TOKENS_MAX = 12;

    static Ask of(String key, String model) {
        return new Ask(key, model, "How does a lock raise a ship?", false, 0);
    }

    Ask prompt(String changed) {
        return new Ask(key, model, changed, wrongStop, retries);
    }

    Ask withWrongStop() {
        return new Ask(key, model, prompt, true, retries);
    }

    Ask retries(int changed) {
        return new Ask(key, model, prompt, wrongStop, changed);
    }
}
