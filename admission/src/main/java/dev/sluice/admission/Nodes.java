package dev.sluice.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All nodes by their tasks: a hash table with open addressing, the hashes in an array of their own. A look-up touches
 * one node if the task is known and none if it is not, whoever else is here.
 */
final class Nodes {
    private static final int FIRST_CAPACITY = 64;

    /** 0 marks a free slot. */
    private int[] hashes = new int[FIRST_CAPACITY];

    private @Nullable Node[] nodes = new Node[FIRST_CAPACITY];
    private int size;

    int size() {
        return size;
    }

    @Nullable
    Node get(UUID task) {
        int hash = hash(task);
        for (int slot = home(hash); hashes[slot] != 0; slot = after(slot)) {
            Node node = hashes[slot] == hash ? nodes[slot] : null;
            if (node != null && node.task.equals(task)) {
                return node;
            }
        }
        return null;
    }

    /** The task must be unknown. */
    void add(Node node) {
        if (2 * ++size > hashes.length) {
            grow();
        }
        put(hash(node.task), node);
    }

    private void put(int hash, Node node) {
        int slot = home(hash);
        while (hashes[slot] != 0) {
            slot = after(slot);
        }
        hashes[slot] = hash;
        nodes[slot] = node;
    }

    /** The node must be one of these. */
    void remove(Node node) {
        int slot = home(hash(node.task));
        while (nodes[slot] != node) {
            if (hashes[slot] == 0) {
                throw new IllegalStateException("unknown task " + node.task);
            }
            slot = after(slot);
        }
        size--;
        closeGap(slot);
    }

    /** Moves up whoever stands behind only because the slot was taken, so that no look-up ends at the gap too soon. */
    private void closeGap(int free) {
        int gap = free;
        for (int slot = after(gap); hashes[slot] != 0; slot = after(slot)) {
            if (distance(home(hashes[slot]), slot) >= distance(gap, slot)) {
                hashes[gap] = hashes[slot];
                nodes[gap] = nodes[slot];
                gap = slot;
            }
        }
        hashes[gap] = 0;
        nodes[gap] = null;
    }

    /** A copy, in no order. */
    List<Node> all() {
        List<Node> all = new ArrayList<>(size);
        for (Node node : nodes) {
            if (node != null) {
                all.add(node);
            }
        }
        return all;
    }

    private void grow() {
        int[] oldHashes = hashes;
        @Nullable Node[] oldNodes = nodes;
        hashes = new int[2 * oldHashes.length];
        nodes = new Node[hashes.length];
        for (int slot = 0; slot < oldHashes.length; slot++) {
            if (oldHashes[slot] != 0) {
                put(oldHashes[slot], Objects.requireNonNull(oldNodes[slot]));
            }
        }
    }

    private int after(int slot) {
        return (slot + 1) & (hashes.length - 1);
    }

    private int distance(int from, int to) {
        return (to - from) & (hashes.length - 1);
    }

    /** The upper bits, which all bits of an id are mixed into: ids may count up in any of them. */
    private int home(int hash) {
        return hash >>> (Integer.numberOfLeadingZeros(hashes.length) + 1);
    }

    private static int hash(UUID task) {
        long mixed = (task.getMostSignificantBits() * 31 + task.getLeastSignificantBits()) * 0x9e3779b97f4a7c15L;
        int hash = (int) (mixed >>> 32);
        return hash == 0 ? 1 : hash;
    }
}
