package dev.sluice.gateway.config;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What the file can say and this version does not do yet. Such a key is read, checked and then refused: an operator
 * must not believe in a limit that nobody keeps. A feature that arrives leaves {@link #NOW}, nothing else changes.
 */
enum Pending {
    RATE("`rate` is not enforced yet"),
    WEIGHT("`weight` is not enforced yet");

    /** The switch: what this version lacks. */
    static final Set<Pending> NOW = Collections.unmodifiableSet(EnumSet.allOf(Pending.class));

    private final String message;

    Pending(String message) {
        this.message = message;
    }

    String message() {
        return message;
    }
}
