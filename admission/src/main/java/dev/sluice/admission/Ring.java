package dev.sluice.admission;

import org.jspecify.annotations.Nullable;

/**
 * Tasks by an instant each, every new one later than the last: a ring of instants beside a ring of tasks. One that
 * leaves leaves a gap, so nobody else is touched; gaps go when they are met at the front or the ring is full.
 */
final class Ring {
    private static final int FIRST_CAPACITY = 16;

    /** Two numbers a slot: instant and sequence. */
    private long[] order = new long[2 * FIRST_CAPACITY];

    private @Nullable Node[] nodes = new Node[FIRST_CAPACITY];

    /** Counts of slots given up and taken so far; modulo the capacity they are the ends of the ring. */
    private int begin;

    private int end;
    private int size;
    private long lastAt;
    private long lastSequence;

    boolean isEmpty() {
        return size == 0;
    }

    boolean takes(long at, long sequence) {
        return size == 0 || Node.isBefore(lastAt, lastSequence, at, sequence);
    }

    /** It must {@link #takes take} its instant. */
    void add(Node node) {
        if (end - begin == nodes.length) {
            makeRoom();
        }
        lastAt = node.dueAt;
        lastSequence = node.sequence;
        put(end, node, lastAt, lastSequence);
        end++;
        size++;
        node.ring = this;
    }

    private void put(int at, Node node, long instant, long sequence) {
        int slot = slot(at);
        order[2 * slot] = instant;
        order[2 * slot + 1] = sequence;
        nodes[slot] = node;
        node.dueSlot = slot;
    }

    void remove(Node node) {
        nodes[node.dueSlot] = null;
        node.ring = null;
        if (--size == 0) {
            begin = end;
        }
    }

    /** The slot of the first; the ring must not be empty. */
    private int first() {
        int slot = slot(begin);
        while (nodes[slot] == null) {
            slot = slot(++begin);
        }
        return slot;
    }

    long firstAt() {
        return order[2 * first()];
    }

    long firstSequence() {
        return order[2 * first() + 1];
    }

    @Nullable
    Node firstNode() {
        return nodes[first()];
    }

    private int slot(int count) {
        return count & (nodes.length - 1);
    }

    /** Room for as many again at least, so that its cost a task is constant; a ring that was long becomes short. */
    private void makeRoom() {
        int capacity = Math.max(FIRST_CAPACITY, 4 * Integer.highestOneBit(size));
        long[] oldOrder = order;
        @Nullable Node[] oldNodes = nodes;
        int from = begin;
        order = new long[2 * capacity];
        nodes = new Node[capacity];
        begin = 0;
        end = 0;
        for (int i = 0; i < oldNodes.length; i++) {
            int slot = (from + i) & (oldNodes.length - 1);
            Node node = oldNodes[slot];
            if (node != null) {
                put(end++, node, oldOrder[2 * slot], oldOrder[2 * slot + 1]);
            }
        }
    }
}
