package dev.sluice.gateway.config;

import java.net.URI;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where a group hears of its tasks' ends; a request names it by its id.
 *
 * @param id unique within the group
 * @param url http or https, without user and fragment; printed nowhere, since services put tokens into paths
 * @param secret signs each message: {@code whsec_} and 24 to 64 bytes in base64, as Standard Webhooks has it
 * @param previousSecret signs as well while the receiver changes over to {@code secret}
 */
public record Webhook(String id, URI url, Secret secret, Optional<Secret> previousSecret) {
    private static final String PREFIX = "whsec_";
    private static final int KEY_BYTES_MIN = 24;
    private static final int KEY_BYTES_MAX = 64;

    /** The bytes that a secret stands for; empty if it is none. */
    static Optional<byte[]> key(String secret) {
        if (!secret.startsWith(PREFIX)) {
            return Optional.empty();
        }
        try {
            byte[] key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
            return Optional.of(key).filter(bytes -> bytes.length >= KEY_BYTES_MIN && bytes.length <= KEY_BYTES_MAX);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** What messages are signed with, the newest first. */
    public List<byte[]> keys() {
        return Stream.concat(Stream.of(secret), previousSecret.stream())
                .map(signing -> key(signing.reveal()).orElseThrow())
                .toList();
    }

    @Override
    public String toString() {
        return "Webhook[id=" + id + ']';
    }
}
