package dev.sluice.admission;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One effect of a decision: a row before and after. It can be written elsewhere, applied to a mirror, and undone by
 * swapping its two sides.
 *
 * @param before null if the task was unknown
 * @param after null if the ledger forgets the task
 * @param evicted for {@link Cause#EVICTED} what its waiter is told; else null
 */
public record Change(
        @Nullable Row before,
        @Nullable Row after,
        Cause cause,
        @Nullable Evicted evicted) {
    /** What happened. */
    public enum Cause {
        QUEUED,
        ADMITTED,
        /** Admitted under another binding in one step: a failover, or a rebind that found room. */
        MOVED,
        RELEASED,
        EXPIRED,
        EVICTED,
        /** A grant that nobody confirmed, or that its executor gave up, and the task is back in its place. */
        RETURNED,
        CONFIRMED,
        RENEWED,
        TAKEN_OVER,
        DETACHED,
        REBOUND,
        PRIORITISED,
        OVERTAKEN,
        RE_ARMED
    }

    public Change {
        if (before == null && after == null) {
            throw new IllegalArgumentException("a change needs a row before or after");
        }
    }

    /** Whose row changed. */
    public UUID task() {
        return any().task();
    }

    /** The change that takes this one back. */
    public Change undone() {
        return new Change(after, before, cause, null);
    }

    private Row any() {
        Row row = after != null ? after : before;
        if (row == null) {
            throw new IllegalStateException("a change without a row");
        }
        return row;
    }
}
