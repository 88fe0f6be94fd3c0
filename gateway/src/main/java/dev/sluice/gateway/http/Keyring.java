package dev.sluice.gateway.http;

import dev.sluice.gateway.config.Group;
import dev.sluice.gateway.config.Key;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The keys of all groups by their hashes. A caller cannot choose the hash of a guess, so looking its first bytes up in a
 * table tells nothing about a key; the whole hash is then compared in constant time.
 */
final class Keyring {
    private static final String BEARER = "bearer ";
    private static final CharSequence X_API_KEY = HttpHeaders.createOptimized("x-api-key");

    private record Entry(byte[] sha256, Tenant tenant) {}

    private final Map<Long, List<Entry>> byPrefix = new HashMap<>();

    Keyring(List<Group> groups, Map<String, Tenant> tenants) {
        for (Group group : groups) {
            Tenant tenant = tenants.get(group.id());
            for (Key key : group.keys()) {
                byte[] hash = HexFormat.of().parseHex(key.sha256());
                if (tenant != null) {
                    byPrefix.merge(prefix(hash), List.of(new Entry(hash, tenant)), Keyring::joined);
                }
            }
        }
    }

    private static List<Entry> joined(List<Entry> some, List<Entry> more) {
        return Stream.concat(some.stream(), more.stream()).toList();
    }

    Optional<Tenant> tenant(MultiMap headers, MessageDigest sha256) {
        String key = presented(headers);
        if (key == null || key.isEmpty()) {
            return Optional.empty();
        }
        byte[] hash = sha256.digest(key.getBytes(StandardCharsets.UTF_8));
        Optional<Tenant> found = Optional.empty();
        for (Entry entry : byPrefix.getOrDefault(prefix(hash), List.of())) {
            if (MessageDigest.isEqual(entry.sha256, hash)) {
                found = Optional.of(entry.tenant);
            }
        }
        return found;
    }

    private static @Nullable String presented(MultiMap headers) {
        String authorization = headers.get(HttpHeaders.AUTHORIZATION);
        if (authorization != null && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return authorization.substring(BEARER.length()).strip();
        }
        return headers.get(X_API_KEY);
    }

    private static long prefix(byte[] hash) {
        return ByteBuffer.wrap(hash).getLong();
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
