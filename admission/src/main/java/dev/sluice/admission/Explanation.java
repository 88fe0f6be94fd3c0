package dev.sluice.admission;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The answer to "why am I waiting, and how long?".
 *
 * @param blockedBy every scope that lacks room for it now; empty for an admitted task
 * @param ahead tasks before it in the scope that is expected to free last; may be up to 5 s old
 * @param eta until it is expected to start, from observed drain rates; empty without an observation
 */
public record Explanation(TaskView task, List<Blocker> blockedBy, int ahead, Optional<Duration> eta) {
    /** One-based place in line. */
    public int position() {
        return ahead + 1;
    }

    /**
     * A scope without room.
     *
     * @param limit thousandths
     * @param active thousandths
     * @param holders up to ten tasks that hold it, longest first; may be up to 1 s old
     */
    public record Blocker(Scope scope, long limit, long active, List<UUID> holders) {}
}
