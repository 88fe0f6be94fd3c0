package dev.sluice.gateway.files;

import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

/** An id as clients see it: a word for the kind of thing, and the 32 hexadecimal digits of a UUID. */
public enum FileIds {
    FILE("file-"),
    BATCH("batch_");

    private static final int DIGITS = 32;
    private final String prefix;

    FileIds(String prefix) {
        this.prefix = prefix;
    }

    public String text(UUID id) {
        return prefix + id.toString().replace("-", "");
    }

    /** Empty for what is no such id. */
    public Optional<UUID> id(String text) {
        if (text.length() != prefix.length() + DIGITS || !text.startsWith(prefix)) {
            return Optional.empty();
        }
        try {
            int middle = prefix.length() + DIGITS / 2;
            return Optional.of(new UUID(
                    HexFormat.fromHexDigitsToLong(text, prefix.length(), middle),
                    HexFormat.fromHexDigitsToLong(text, middle, text.length())));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
