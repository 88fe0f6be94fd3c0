package dev.sluice.gateway.config;

/**
 * One scalar of the file.
 *
 * @param key the key it was given for
 * @param text after substitution
 * @param shown as the file writes it, short enough for a message: what the environment holds stays there
 * @param line from 1
 */
record Value(String key, String text, String shown, int line) {
    private static final int SHOWN_MAX = 60;

    static Value of(String key, String text, String raw, int line) {
        String clean = raw.replaceAll("\\p{Cntrl}", " ");
        String shown = clean.length() > SHOWN_MAX ? clean.substring(0, SHOWN_MAX) + "…" : clean;
        return new Value(key, text, shown, line);
    }
}
