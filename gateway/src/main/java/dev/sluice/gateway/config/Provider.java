package dev.sluice.gateway.config;

import dev.sluice.admission.Reserve;

/**
 * One upstream endpoint on a node.
 *
 * @param id unique over all platforms
 * @param node the machine it runs on; default the id
 * @param upstream what answers there
 * @param capacity requests at once, at least 1
 * @param longContextCapacity long requests at once; 0 = no separate limit
 * @param priority the lower number is preferred among equally loaded providers
 * @param enabled a disabled provider gets no work
 * @param reserve slots kept for one kind of work
 */
public record Provider(
        String id,
        String node,
        Upstream upstream,
        int capacity,
        int longContextCapacity,
        int priority,
        boolean enabled,
        Reserve reserve) {
    static final Range<Integer> CAPACITY = Range.of(1, 1_000_000);
    static final Range<Integer> LONG_CONTEXT_CAPACITY = Range.of(0, 1_000_000);
    static final Range<Integer> PRIORITY = Range.of(0, 1_000_000);
    static final Range<Integer> RESERVE = Range.of(0, 999_999);

    public Provider {
        Names.requireLabel("id", id);
        Names.requireLabel("node", node);
        CAPACITY.require("capacity", capacity);
        LONG_CONTEXT_CAPACITY.require("long-context-capacity", longContextCapacity);
        PRIORITY.require("priority", priority);
        if (!reserve.fitsInto(capacity)) {
            throw new IllegalArgumentException("reserve must leave each kind of work a slot of the capacity");
        }
    }
}
