package dev.sluice.gateway.config;

/**
 * Slots of a provider that one kind of work leaves to the other.
 *
 * @param interactive slots that async tasks and batches never take
 * @param background slots that requests whose clients wait never take
 */
public record Reserve(int interactive, int background) {
    static final Range<Integer> SLOTS = Range.of(0, 999_999);
    public static final Reserve NONE = new Reserve(0, 0);

    public Reserve {
        SLOTS.require("interactive", interactive);
        SLOTS.require("background", background);
    }

    /** Whether each kind is left a slot, and no slot is kept for both. */
    boolean fitsInto(int capacity) {
        return interactive < capacity && background < capacity && interactive + background <= capacity;
    }
}
