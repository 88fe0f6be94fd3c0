package dev.sluice.admission;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Places in line. Counting is exact for short lines; a long one is sorted at most every five seconds for each scope,
 * because a position that nobody acts on is not worth more.
 */
final class Lines {
    private static final int EXACT_MAX = 1_000;
    private static final long STALE_NANOS = 5_000_000_000L;

    /** Tasks and thousandths before a task in one scope. */
    record Ahead(int tasks, long amount) {}

    /** A sorted copy of a long line: orders and running amounts. */
    record Sorted(long at, Node[] nodes, long[] amounts) {}

    Ahead ahead(ScopeState scope, Node node, long now) {
        if (scope.waiting() <= EXACT_MAX && size(scope) <= EXACT_MAX) {
            return count(scope, node);
        }
        Sorted line = scope.line;
        if (line == null || now - line.at() >= STALE_NANOS || now < line.at()) {
            line = sort(scope, now);
            scope.line = line;
        }
        int place = Arrays.binarySearch(line.nodes(), node, Node.ORDER);
        int tasks = place >= 0 ? place : -place - 1;
        return new Ahead(tasks, tasks == 0 ? 0 : line.amounts()[tasks - 1]);
    }

    private static int size(ScopeState scope) {
        int[] size = new int[1];
        scope.forEachQueue(place -> size[0] += place.binding.size());
        return size[0];
    }

    private static Ahead count(ScopeState scope, Node node) {
        int[] tasks = new int[1];
        long[] amount = new long[1];
        scope.forEachQueue(place -> {
            int before = place.binding.countBefore(node);
            tasks[0] += before;
            amount[0] += before * place.amount;
        });
        return new Ahead(tasks[0], amount[0]);
    }

    private static Sorted sort(ScopeState scope, long now) {
        List<Node> all = new ArrayList<>();
        scope.forEachQueue(place -> place.binding.forEach(all::add));
        Node[] nodes = all.toArray(Node[]::new);
        Arrays.sort(nodes, Node.ORDER);
        long[] amounts = new long[nodes.length];
        long sum = 0;
        for (int i = 0; i < nodes.length; i++) {
            sum += scope.amountOf(nodes[i]);
            amounts[i] = sum;
        }
        return new Sorted(now, nodes, amounts);
    }
}
