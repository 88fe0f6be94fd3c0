package dev.sluice.admission;

import java.util.Comparator;

/**
 * What a limit applies to. The types of the gateway have constants; an embedding service may use its own types
 * beside them.
 *
 * @param type one of the constants or an embedder's own word, trimmed, not blank
 * @param key identifies the scope within its type, trimmed, not blank
 */
public record Scope(String type, String key) implements Comparable<Scope> {
    /** One model on one platform; the key is {@code platform/served-name}. */
    public static final String PLATFORM_MODEL = "platform_model";
    /** A tenant; the key is the group's id. */
    public static final String USER_GROUP = "user_group";
    /** The slots of one upstream endpoint; the key is the provider's id. */
    public static final String PROVIDER = "provider";
    /** The long-context slots of one upstream endpoint; the key is the provider's id. */
    public static final String PROVIDER_LONG = "provider_long";
    /**
     * The slots of one upstream endpoint that synchronous tasks may hold, where some are reserved for asynchronous ones;
     * the key is the provider's id.
     */
    public static final String PROVIDER_SYNC = "provider_sync";
    /** The same for asynchronous tasks, where some are reserved for synchronous ones. */
    public static final String PROVIDER_ASYNC = "provider_async";
    /** The executors of asynchronous tasks; the key is {@code *}. */
    public static final String WORKER_CAPACITY = "worker_capacity";

    private static final Comparator<Scope> ORDER =
            Comparator.comparing(Scope::type).thenComparing(Scope::key);

    public Scope {
        type = type.strip();
        key = key.strip();
        if (type.isEmpty() || key.isEmpty()) {
            throw new IllegalArgumentException("a scope needs a type and a key, got '" + type + "' and '" + key + "'");
        }
    }

    /** @see #PLATFORM_MODEL */
    public static Scope platformModel(String platform, String servedName) {
        return new Scope(PLATFORM_MODEL, platform + "/" + servedName);
    }

    /** @see #USER_GROUP */
    public static Scope userGroup(String group) {
        return new Scope(USER_GROUP, group);
    }

    /** @see #PROVIDER */
    public static Scope provider(String id) {
        return new Scope(PROVIDER, id);
    }

    /** @see #PROVIDER_LONG */
    public static Scope providerLong(String id) {
        return new Scope(PROVIDER_LONG, id);
    }

    /** @see #PROVIDER_SYNC */
    public static Scope providerSync(String id) {
        return new Scope(PROVIDER_SYNC, id);
    }

    /** @see #PROVIDER_ASYNC */
    public static Scope providerAsync(String id) {
        return new Scope(PROVIDER_ASYNC, id);
    }

    /** @see #WORKER_CAPACITY */
    public static Scope workerCapacity() {
        return new Scope(WORKER_CAPACITY, "*");
    }

    /** Whether it counts slots of a provider, of which a task takes one. */
    public boolean isOfProvider() {
        return switch (type) {
            case PROVIDER, PROVIDER_LONG, PROVIDER_SYNC, PROVIDER_ASYNC -> true;
            default -> false;
        };
    }

    @Override
    public int compareTo(Scope other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return type + " " + key;
    }
}
