package dev.sluice.gateway.config;

import java.util.regex.Pattern;

/** The shapes of the names an operator gives. */
final class Names {
    static final int LENGTH_MAX = 200;

    // No slash: a platform's id is the first half of the scope key platform/served-name.
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
    // Public model names follow the habits of model hubs: org/name:tag@revision.
    private static final Pattern MODEL_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@+-]*");
    private static final Pattern PRINTABLE = Pattern.compile("[^\\p{Cntrl}]*");

    private Names() {}

    static boolean isId(String text) {
        return text.length() <= LENGTH_MAX && ID.matcher(text).matches();
    }

    static boolean isModelId(String text) {
        return text.length() <= LENGTH_MAX && MODEL_ID.matcher(text).matches();
    }

    /** A name that others gave, such as a model's name at its upstream. */
    static boolean isLabel(String text) {
        return !text.isBlank()
                && text.equals(text.strip())
                && text.length() <= LENGTH_MAX
                && PRINTABLE.matcher(text).matches();
    }

    static void requireLabel(String name, String text) {
        if (!isLabel(text)) {
            throw new IllegalArgumentException(
                    name + " must be a name of 1 to " + LENGTH_MAX + " printable characters");
        }
    }
}
