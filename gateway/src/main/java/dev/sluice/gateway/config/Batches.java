package dev.sluice.gateway.config;

import java.util.Optional;

/**
 * Batches: many requests in one file.
 *
 * @param maxLines the most requests of one batch, 1 to 10 million
 * @param waiting how many lines of one batch wait in the queue at most; empty for twice the worker slots
 * @param priorityOffset what is added to the group's priority, so that lines run after other work
 */
public record Batches(int maxLines, Optional<Integer> waiting, int priorityOffset) {
    static final Range<Integer> MAX_LINES = Range.of(1, 10_000_000);
    static final Range<Integer> WAITING = Range.of(1, 100_000);
    public static final Batches DEFAULT = new Batches(50_000, Optional.empty(), 2_000);

    public Batches {
        MAX_LINES.require("max-lines", maxLines);
        waiting.ifPresent(most -> WAITING.require("waiting", most));
        Group.PRIORITY.require("priority-offset", priorityOffset);
    }

    /** How many lines of one batch wait in the queue at most. */
    public int waitingMax(Workers workers) {
        return waiting.orElse(2 * workers.slots());
    }
}
