package dev.sluice.admission;

import java.util.Optional;

/**
 * Which tasks to list.
 *
 * @param waiting true for those that wait, false for those admitted, empty for both
 * @param sync true for synchronous tasks only, false for asynchronous only
 * @param scope only tasks that carry it
 * @param route only tasks of this route
 * @param limit at most so many, 1 to 10,000
 */
public record TaskFilter(
        Optional<Boolean> waiting, Optional<Boolean> sync, Optional<Scope> scope, Optional<String> route, int limit) {
    public static final TaskFilter ALL =
            new TaskFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), 1_000);

    public TaskFilter {
        if (limit < 1 || limit > 10_000) {
            throw new IllegalArgumentException("limit must be 1 to 10000, not " + limit);
        }
    }
}
