package dev.sluice.gateway.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** A client's key: {@code sk-} and at least 32 URL-safe characters. It never prints itself. */
public final class ApiKey {
    private static final int RANDOM_BYTES = 32;
    private static final Pattern SYNTAX = Pattern.compile("sk-[A-Za-z0-9_-]{32,200}");

    private final String value;

    private ApiKey(String value) {
        if (!isKey(value)) {
            throw new IllegalArgumentException("a key is sk- and at least 32 URL-safe characters");
        }
        this.value = value;
    }

    /** A key of 256 random bits. */
    public static ApiKey generate(SecureRandom random) {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        return new ApiKey("sk-" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** @throws IllegalArgumentException if {@code text} is no key, see {@link #isKey} */
    public static ApiKey of(String text) {
        return new ApiKey(text);
    }

    public static boolean isKey(String text) {
        return SYNTAX.matcher(text).matches();
    }

    /** The key itself, to be printed once. */
    public String reveal() {
        return value;
    }

    public String sha256() {
        return sha256(value);
    }

    /** The hash that the configuration holds: SHA-256 of the UTF-8 bytes, in lower-case hex. */
    public static String sha256(String key) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(key.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "sk-***";
    }
}
