package dev.sluice.admission;

import java.time.Duration;
import java.util.Map;

/**
 * The rules of one scope. A scope without a policy is unlimited and still counted.
 *
 * @param limit thousandths that may be active at once, 0 for unlimited
 * @param queueLimit tasks that may wait, 0 for none: refuse at once when saturated
 * @param maxWait how long a synchronous task may wait, more than zero; counts only where there is a queue
 * @param leaseTtl how long a lease lives without renewal, more than zero
 * @param name for messages; may be empty
 * @param metadata shown in refusals
 */
public record ScopePolicy(
        long limit, int queueLimit, Duration maxWait, Duration leaseTtl, String name, Map<String, String> metadata) {
    public static final Duration DEFAULT_MAX_WAIT = Duration.ofSeconds(600);
    public static final Duration DEFAULT_LEASE_TTL = Duration.ofSeconds(120);

    public static final ScopePolicy UNLIMITED = limit(0);

    public ScopePolicy {
        if (limit < 0 || limit > Amount.MAX) {
            throw new IllegalArgumentException("limit must be 0 to " + Amount.MAX + " thousandths, not " + limit);
        }
        if (queueLimit < 0) {
            throw new IllegalArgumentException("queue limit must not be negative, not " + queueLimit);
        }
        if (!maxWait.isPositive() || !leaseTtl.isPositive()) {
            throw new IllegalArgumentException("max wait and lease TTL must be more than zero");
        }
        metadata = Map.copyOf(metadata);
    }

    /** A limit of {@code units} whole units without a queue; 0 for unlimited. */
    public static ScopePolicy limit(long units) {
        return new ScopePolicy(Amount.units(units), 0, DEFAULT_MAX_WAIT, DEFAULT_LEASE_TTL, "", Map.of());
    }

    /** The same, with room for so many waiting tasks, 0 for none. */
    public ScopePolicy queue(int tasks) {
        return new ScopePolicy(limit, tasks, maxWait, leaseTtl, name, metadata);
    }

    /** The same, with another bound for synchronous tasks, more than zero. */
    public ScopePolicy maxWait(Duration wait) {
        return new ScopePolicy(limit, queueLimit, wait, leaseTtl, name, metadata);
    }

    /** The same, with leases that live so long without renewal, more than zero. */
    public ScopePolicy leaseTtl(Duration ttl) {
        return new ScopePolicy(limit, queueLimit, maxWait, ttl, name, metadata);
    }

    boolean hasQueue() {
        return queueLimit > 0;
    }
}
