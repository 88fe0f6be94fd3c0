package dev.sluice.admission;

/**
 * Slots of a provider that one kind of task keeps free for the other. What is reserved for one kind bounds the other: it
 * may hold at most the rest of the capacity.
 *
 * @param sync slots that asynchronous tasks never take, at least 0
 * @param async slots that synchronous tasks never take, at least 0
 */
public record Reserve(int sync, int async) {
    /** Nothing is reserved. */
    public static final Reserve NONE = new Reserve(0, 0);

    public Reserve {
        if (sync < 0 || async < 0) {
            throw new IllegalArgumentException("a reserve must not be negative");
        }
    }

    /** Whether each kind is left a slot, and no slot is reserved for both. */
    public boolean fitsInto(int capacity) {
        return sync < capacity && async < capacity && (long) sync + async <= capacity;
    }
}
