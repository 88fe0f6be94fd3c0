package dev.sluice.admission;

/**
 * One upstream endpoint as the ledger sees it.
 *
 * @param capacity requests at once, at least 1
 * @param longCapacity how many of them may be long, 0 for no separate limit
 * @param priority a lower number is preferred among equally loaded providers
 * @param enabled a disabled provider never gets work
 */
public record ProviderPolicy(String id, int capacity, int longCapacity, int priority, boolean enabled) {
    public ProviderPolicy {
        if (id.isBlank() || capacity < 1 || longCapacity < 0) {
            throw new IllegalArgumentException(
                    "a provider needs an id, a capacity of at least 1 and a long capacity of at least 0");
        }
    }

    /** Enabled, at priority 0, without a separate limit for long requests. */
    public static ProviderPolicy of(String id, int capacity) {
        return new ProviderPolicy(id, capacity, 0, 0, true);
    }
}
