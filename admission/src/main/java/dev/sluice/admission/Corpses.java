package dev.sluice.admission;

import java.util.HashMap;
import java.util.Map;

/**
 * Tasks whose deadline or waiter lease has passed and that no decision has met yet. They never count as waiting, so a
 * view that is read between two decisions leaves them out.
 */
final class Corpses {
    private final Map<Scope, int[]> byScope = new HashMap<>();
    private final int[] total = new int[2];
    private int lostWaiters;
    private int passedDeadlines;

    /** Whether the waiting task is one; then it is counted. */
    boolean add(Node node, Book book, long now) {
        Row row = node.row;
        boolean late = row.deadline() <= now;
        if (!late && book.waiterUntil(row) > now) {
            return false;
        }
        if (late) {
            passedDeadlines++;
        } else {
            lostWaiters++;
        }
        int kind = row.ask().isSync() ? 0 : 1;
        total[kind]++;
        row.ask().demands().forEach(demand -> count(demand.scope(), kind));
        Scope bound = row.bound();
        if (bound != null) {
            count(bound, kind);
        }
        return true;
    }

    private void count(Scope scope, int kind) {
        byScope.computeIfAbsent(scope, any -> new int[2])[kind]++;
    }

    int lostWaiters() {
        return lostWaiters;
    }

    int passedDeadlines() {
        return passedDeadlines;
    }

    int sync() {
        return total[0];
    }

    int async() {
        return total[1];
    }

    int sync(Scope scope) {
        int[] counted = byScope.get(scope);
        return counted == null ? 0 : counted[0];
    }

    int async(Scope scope) {
        int[] counted = byScope.get(scope);
        return counted == null ? 0 : counted[1];
    }
}
