package dev.sluice.gateway.translation;

import org.jspecify.annotations.Nullable;

/** Why an upstream's answer cannot be passed on; a value, thrown to keep the reading flat. */
public final class BrokenAnswer extends Exception {
    private static final long serialVersionUID = 1;

    BrokenAnswer(String detail) {
        this(detail, null);
    }

    BrokenAnswer(String detail, @Nullable Throwable cause) {
        super(detail, cause, false, false);
    }

    /** For people, without the content of the answer. */
    public String detail() {
        return String.valueOf(getMessage());
    }
}
