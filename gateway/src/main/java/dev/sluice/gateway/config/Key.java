package dev.sluice.gateway.config;

import java.util.regex.Pattern;

/**
 * One key of a group.
 *
 * @param name what people call it; unique in its group
 * @param sha256 SHA-256 of the key's UTF-8 bytes, 64 lower-case hex digits; unique over all groups
 */
public record Key(String name, String sha256) {
    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    public Key {
        Names.requireLabel("name", name);
        if (!isSha256(sha256)) {
            throw new IllegalArgumentException("sha256 must be 64 lower-case hex digits");
        }
    }

    static boolean isSha256(String text) {
        return SHA256.matcher(text).matches();
    }
}
