package dev.sluice.gateway.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Which task an idempotency key stands for, for 24 hours, by hashes of key and body. An entry of a task that was
 * refused, evicted, cancelled or failed is forgotten; one that succeeded lets the same body run again, since answers are
 * not kept. The id of the task follows from key and body, so that all gateways of a ledger mean the same one.
 */
final class IdempotencyKeys {
    static final long LIFETIME_NANOS = Duration.ofHours(24).toNanos();
    private static final int ENTRIES_MAX = 1_000_000;

    /** What a key leads to. */
    sealed interface Claim {
        /**
         * @param task to ask the ledger for: the new one, or the one that waits or runs
         * @param entry of the key; empty if there is none
         */
        record Task(UUID task, Optional<String> entry) implements Claim {}

        /** The key was used with another body. */
        record Mismatch() implements Claim {}
    }

    /** @param runs how often it succeeded here */
    private record Entry(UUID task, String body, long expires, int runs, boolean done) {}

    private final LongSupplier nanoTime;
    // In the order of expiry, since all live equally long.
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    IdempotencyKeys(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** For a task in the database, whose row names the group. */
    static Filing.Idempotency hashes(MessageDigest sha256, String key, String path, byte[] body) {
        String name = HexFormat.of().formatHex(sha256.digest(key.getBytes(StandardCharsets.UTF_8)));
        return new Filing.Idempotency(name, HexFormat.of().formatHex(request(sha256, path, body)));
    }

    /** @param fresh the task of a request without a key */
    Claim claim(MessageDigest sha256, Tenant tenant, Optional<String> key, String path, byte[] body, UUID fresh) {
        if (key.isEmpty()) {
            return new Claim.Task(fresh, key);
        }
        byte[] name = sha256.digest((tenant.group().id() + '\n' + key.get()).getBytes(StandardCharsets.UTF_8));
        return claim(sha256, name, request(sha256, path, body));
    }

    /** The same body means something else to another path. */
    private static byte[] request(MessageDigest sha256, String path, byte[] body) {
        sha256.update((path + '\n').getBytes(StandardCharsets.UTF_8));
        return sha256.digest(body);
    }

    synchronized Claim claim(MessageDigest sha256, byte[] keyHash, byte[] bodyHash) {
        long now = nanoTime.getAsLong();
        expire(now);
        String name = HexFormat.of().formatHex(keyHash);
        String body = HexFormat.of().formatHex(bodyHash);
        Entry known = entries.get(name);
        if (known != null && !known.body.equals(body)) {
            return new Claim.Mismatch();
        }
        if (known != null && !known.done) {
            return new Claim.Task(known.task, Optional.of(name));
        }
        int runs = known == null ? 0 : known.runs;
        UUID task = id(sha256, keyHash, bodyHash, runs);
        entries.remove(name);
        entries.put(name, new Entry(task, body, now + LIFETIME_NANOS, runs, false));
        return new Claim.Task(task, Optional.of(name));
    }

    /** A UUID of version 8: RFC 9562, section 5.8. */
    private static UUID id(MessageDigest sha256, byte[] keyHash, byte[] bodyHash, int runs) {
        sha256.update(keyHash);
        sha256.update(bodyHash);
        ByteBuffer hash = ByteBuffer.wrap(
                sha256.digest(ByteBuffer.allocate(Integer.BYTES).putInt(runs).array()));
        long high = (hash.getLong() & ~0xf000L) | 0x8000L;
        return new UUID(high, (hash.getLong() >>> 2) | Long.MIN_VALUE);
    }

    synchronized void succeeded(String name, UUID task) {
        Entry known = entries.get(name);
        if (known != null && known.task.equals(task)) {
            entries.replace(name, new Entry(task, known.body, known.expires, known.runs + 1, true));
        }
    }

    /** Forgets the key if it still stands for {@code task}. */
    synchronized void forget(String name, UUID task) {
        Entry known = entries.get(name);
        if (known != null && known.task.equals(task)) {
            entries.remove(name);
        }
    }

    private void expire(long now) {
        Iterator<Entry> oldest = entries.values().iterator();
        while (oldest.hasNext()) {
            if (oldest.next().expires - now > 0 && entries.size() < ENTRIES_MAX) {
                break;
            }
            oldest.remove();
        }
    }
}
