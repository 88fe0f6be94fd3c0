package dev.sluice.admission;

import java.time.Duration;
import java.util.Optional;

/**
 * Where a task stands: what most want to know of an {@link Explanation}, at a fraction of its price.
 *
 * @param waits whether it is in the queue; otherwise the rest says nothing
 * @param ahead tasks before it in the scope that is expected to free last; may be up to 5 s old
 * @param eta until it is expected to start, from observed drain rates; empty without an observation
 */
public record Place(boolean waits, int ahead, Optional<Duration> eta) {
    /** One-based place in line. */
    public int position() {
        return ahead + 1;
    }
}
