package dev.sluice.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All nodes by their tasks: a hash table whose chains run through the nodes themselves, so that a look-up touches
 * nothing but the table and the node.
 */
final class Nodes {
    private static final int FIRST_CAPACITY = 64;

    private @Nullable Node[] table = new Node[FIRST_CAPACITY];
    private int size;

    int size() {
        return size;
    }

    @Nullable
    Node get(UUID task) {
        Node node = table[slot(task, table.length)];
        while (node != null && !node.task.equals(task)) {
            node = node.chained;
        }
        return node;
    }

    /** The task must be unknown. */
    void add(Node node) {
        if (size == table.length) {
            grow();
        }
        chain(node, table);
        size++;
    }

    private static void chain(Node node, @Nullable Node[] into) {
        int slot = slot(node.task, into.length);
        node.chained = into[slot];
        into[slot] = node;
    }

    /** The node must be one of these. */
    void remove(Node node) {
        int slot = slot(node.task, table.length);
        Node before = null;
        Node each = table[slot];
        while (each != null && !each.equals(node)) {
            before = each;
            each = each.chained;
        }
        if (each == null) {
            throw new IllegalStateException("unknown task " + node.task);
        }
        if (before == null) {
            table[slot] = node.chained;
        } else {
            before.chained = node.chained;
        }
        node.chained = null;
        size--;
    }

    /** A copy, in no order. */
    List<Node> all() {
        List<Node> all = new ArrayList<>(size);
        for (Node first : table) {
            for (Node node = first; node != null; node = node.chained) {
                all.add(node);
            }
        }
        return all;
    }

    private void grow() {
        @Nullable Node[] larger = new Node[2 * table.length];
        all().forEach(node -> chain(node, larger));
        table = larger;
    }

    /** Ids may count up in any of their bits, so all of them are mixed into the upper ones, which choose the slot. */
    private static int slot(UUID task, int length) {
        long mixed = (task.getMostSignificantBits() * 31 + task.getLeastSignificantBits()) * 0x9e3779b97f4a7c15L;
        return (int) (mixed >>> (Long.numberOfLeadingZeros(length) + 1));
    }
}
