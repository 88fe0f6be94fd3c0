package dev.sluice.gateway.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** A token, key or password: it never prints itself, and is compared in constant time. */
public final class Secret {
    private final String value;

    public Secret(String value) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("a secret is not empty; leave it out instead");
        }
        this.value = value;
    }

    /** The secret itself, for the one place that sends it. */
    public String reveal() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && MessageDigest.isEqual(bytes(), secret.bytes());
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return "***";
    }

    private byte[] bytes() {
        return value.getBytes(StandardCharsets.UTF_8);
    }
}
