package dev.sluice.admission;

import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Tasks by the next instant at which time alone changes something for them. A task whose instant moved later keeps its
 * old place until it is met, so renewals cost nothing here.
 */
final class Agenda {
    private final TreeSet<Node> due =
            new TreeSet<>(Comparator.comparingLong((Node node) -> node.dueAt).thenComparingLong(Node::sequence));

    /** Makes sure that {@code node} is met at {@code at} or earlier; {@link Long#MAX_VALUE} for never. */
    void arm(Node node, long at) {
        if (at < node.dueAt) {
            disarm(node);
            node.dueAt = at;
            due.add(node);
        }
    }

    void disarm(Node node) {
        if (node.dueAt != Long.MAX_VALUE) {
            due.remove(node);
            node.dueAt = Long.MAX_VALUE;
        }
    }

    /** Takes out the first task that is due; null if none is. */
    @Nullable
    Node poll(long now) {
        if (due.isEmpty() || due.first().dueAt > now) {
            return null;
        }
        Node node = due.removeFirst();
        node.dueAt = Long.MAX_VALUE;
        return node;
    }

    /** When the next task may be due; {@link Long#MAX_VALUE} if none. */
    long next() {
        return due.isEmpty() ? Long.MAX_VALUE : due.first().dueAt;
    }
}
