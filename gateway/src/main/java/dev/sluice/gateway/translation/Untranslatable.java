package dev.sluice.gateway.translation;

import org.jspecify.annotations.Nullable;

/** Why a request cannot be put into the words of the other API; a value, thrown to keep the reading flat. */
public final class Untranslatable extends Exception {
    private static final long serialVersionUID = 1;
    private final String param;

    /** @param param the field at fault, for example {@code messages[2].content[0].type} */
    Untranslatable(String param, String message) {
        this(param, message, null);
    }

    Untranslatable(String param, String message, @Nullable Throwable cause) {
        super(message, cause, false, false);
        this.param = param;
    }

    public String param() {
        return param;
    }

    /** For people: what cannot be translated, why, and what to do. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
