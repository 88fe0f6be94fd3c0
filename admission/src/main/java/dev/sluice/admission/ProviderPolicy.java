package dev.sluice.admission;

/**
 * One upstream endpoint as the ledger sees it.
 *
 * @param capacity requests at once, at least 1
 * @param longCapacity how many of them may be long, 0 for no separate limit
 * @param priority a lower number is preferred among equally loaded providers
 * @param enabled a disabled provider never gets work
 * @param reserve slots kept for tasks of one kind; it must leave each kind at least one
 */
public record ProviderPolicy(
        String id, int capacity, int longCapacity, int priority, boolean enabled, Reserve reserve) {
    public ProviderPolicy {
        if (id.isBlank() || capacity < 1 || longCapacity < 0) {
            throw new IllegalArgumentException(
                    "a provider needs an id, a capacity of at least 1 and a long capacity of at least 0");
        }
        if (!reserve.fitsInto(capacity)) {
            throw new IllegalArgumentException("a reserve must leave both kinds of tasks a slot of the capacity");
        }
    }

    /** Of a provider that reserves nothing. */
    public ProviderPolicy(String id, int capacity, int longCapacity, int priority, boolean enabled) {
        this(id, capacity, longCapacity, priority, enabled, Reserve.NONE);
    }

    /** Enabled, at priority 0, without a separate limit for long requests. */
    public static ProviderPolicy of(String id, int capacity) {
        return new ProviderPolicy(id, capacity, 0, 0, true);
    }

    /** The same provider with so many slots reserved for each kind of task. */
    public ProviderPolicy reserving(int sync, int async) {
        return new ProviderPolicy(id, capacity, longCapacity, priority, enabled, new Reserve(sync, async));
    }
}
