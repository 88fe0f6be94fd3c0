package dev.sluice.gateway.config;

/**
 * Execution of async tasks.
 *
 * @param slots tasks at once, the limit of the scope {@code worker_capacity}, at least 1
 */
public record Workers(int slots) {
    static final Range<Integer> SLOTS = Range.of(1, 1_000_000);
    public static final Workers DEFAULT = new Workers(16);

    public Workers {
        SLOTS.require("slots", slots);
    }
}
