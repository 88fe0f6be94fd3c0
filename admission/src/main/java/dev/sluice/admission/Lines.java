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
    record Line(long at, Node[] nodes, long[] amounts) {}

    Ahead ahead(ScopeState scope, Node node, long now) {
        if (scope.waiting() <= EXACT_MAX && size(scope) <= EXACT_MAX) {
            return count(scope, node);
        }
        Line line = scope.line;
        if (line == null || now - line.at() >= STALE_NANOS || now < line.at()) {
            line = sort(scope, now);
            scope.line = line;
        }
        int place = Arrays.binarySearch(line.nodes(), node, Node.ORDER);
        int tasks = place >= 0 ? place : -place - 1;
        return new Ahead(tasks, tasks == 0 ? 0 : line.amounts()[tasks - 1]);
    }

    private static int size(ScopeState scope) {
        int size = 0;
        for (Binding binding : scope.heads) {
            size += binding.queue.size();
            if (size > EXACT_MAX) {
                return size;
            }
        }
        return size;
    }

    private static Ahead count(ScopeState scope, Node node) {
        int tasks = 0;
        long amount = 0;
        for (Binding binding : scope.heads) {
            int before = 0;
            for (Node other : binding.queue) {
                if (!other.before(node)) {
                    break;
                }
                before++;
            }
            tasks += before;
            amount += before == 0 ? 0 : before * scope.amountOf(binding.queue.first());
        }
        return new Ahead(tasks, amount);
    }

    private static Line sort(ScopeState scope, long now) {
        List<Node> all = new ArrayList<>();
        scope.heads.forEach(binding -> all.addAll(binding.queue));
        Node[] nodes = all.toArray(Node[]::new);
        Arrays.sort(nodes, Node.ORDER);
        long[] amounts = new long[nodes.length];
        long sum = 0;
        for (int i = 0; i < nodes.length; i++) {
            sum += scope.amountOf(nodes[i]);
            amounts[i] = sum;
        }
        return new Line(now, nodes, amounts);
    }
}
