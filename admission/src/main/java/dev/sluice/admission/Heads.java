package dev.sluice.admission;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Queues by their heads: a heap with four children a node, sorted no sooner than somebody asks for the first. Most
 * scopes have room and are never asked, and a queue that leaves and comes back in one decision moves once or not at
 * all.
 *
 * <p>Places are numbered, and what a look or a move goes through are numbers in arrays: the places themselves, and the
 * tasks they stand for, lie anywhere in memory.
 */
final class Heads {
    private static final int CHILDREN = 4;
    private static final int FIRST_CAPACITY = 4;
    private static final int MOVED_MIN = 16;
    private static final @Nullable Place[] NO_PLACES = {};
    private static final long[] NO_ORDER = {};
    private static final int[] NONE = {};

    /** The place of a queue in one heap, the same heap at all times. */
    static class Place {
        final Binding binding;

        /** Thousandths that each of its tasks needs there. */
        final long amount;

        /** Of {@link Binding#settled}; 0 for none. */
        private final long bit;

        /** Its number; -1 while it has none. */
        private int id = -1;

        private boolean isIn;

        /** It came, went or got another head since the heap was sorted. */
        private boolean hasMoved;

        Place(Binding binding, long amount, long bit) {
            this.binding = binding;
            this.amount = amount;
            this.bit = bit;
        }

        boolean isIn() {
            return isIn;
        }
    }

    /** By number. */
    private @Nullable Place[] places = NO_PLACES;

    /** Where in the heap, by number; -1 for nowhere. Of a number that is free: the next one that is, -1 for none. */
    private int[] at = NONE;

    private int free = -1;
    private int numbered;

    /** The heap: numbers. */
    private int[] heap = NONE;

    /** Two numbers for each place in the heap: the order of its queue's head. */
    private long[] order = NO_ORDER;

    private int sorted;
    private int[] moved = NONE;
    private int movedCount;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** Any of them, in no order. */
    Place get(int index) {
        sort();
        return place(heap[index]);
    }

    /** The one with the earliest head. */
    @Nullable
    Place first() {
        if (size == 0) {
            return null;
        }
        sort();
        return places[heap[0]];
    }

    private Place place(int id) {
        return Objects.requireNonNull(places[id]);
    }

    /** Puts a queue in, or to where it belongs after its head has changed. The queue must not be empty. */
    void put(Place place) {
        if (!place.isIn) {
            place.isIn = true;
            size++;
        }
        place.binding.settled &= ~place.bit;
        move(place);
    }

    void remove(Place place) {
        if (place.isIn) {
            place.isIn = false;
            size--;
            move(place);
        }
    }

    private void move(Place place) {
        if (place.hasMoved) {
            return;
        }
        if (movedCount >= MOVED_MIN + 2 * size) {
            // Those that left are not to be kept for ever.
            sort();
        }
        if (movedCount == moved.length) {
            moved = Arrays.copyOf(moved, Math.max(FIRST_CAPACITY, 2 * movedCount));
        }
        if (place.id < 0) {
            number(place);
        }
        moved[movedCount++] = place.id;
        place.hasMoved = true;
    }

    private void number(Place place) {
        int id = free;
        if (id >= 0) {
            free = at[id];
        } else {
            id = numbered++;
            if (id == places.length) {
                int capacity = Math.max(FIRST_CAPACITY, 2 * id);
                places = Arrays.copyOf(places, capacity);
                at = Arrays.copyOf(at, capacity);
            }
        }
        places[id] = place;
        at[id] = -1;
        place.id = id;
    }

    private void forget(Place place) {
        places[place.id] = null;
        at[place.id] = free;
        free = place.id;
        place.id = -1;
    }

    /** Forgets whoever left. */
    void sort() {
        while (movedCount > 0) {
            Place place = place(moved[--movedCount]);
            place.hasMoved = false;
            if (place.isIn) {
                insert(place);
            } else {
                if (at[place.id] >= 0) {
                    delete(at[place.id]);
                }
                forget(place);
            }
        }
    }

    private void insert(Place place) {
        Binding binding = place.binding;
        long priority = binding.headPriority();
        long sequence = binding.headSequence();
        binding.settled |= place.bit;
        int from = at[place.id];
        if (from < 0) {
            if (sorted == heap.length) {
                int capacity = Math.max(FIRST_CAPACITY, 2 * sorted);
                heap = Arrays.copyOf(heap, capacity);
                order = Arrays.copyOf(order, 2 * capacity);
            }
            rise(sorted++, place.id, priority, sequence);
        } else if (Node.isBefore(priority, sequence, order[2 * from], order[2 * from + 1])) {
            rise(from, place.id, priority, sequence);
        } else {
            sink(from, place.id, priority, sequence);
        }
    }

    private void delete(int from) {
        sorted--;
        int last = heap[sorted];
        if (from < sorted) {
            long priority = order[2 * sorted];
            long sequence = order[2 * sorted + 1];
            if (Node.isBefore(priority, sequence, order[2 * from], order[2 * from + 1])) {
                rise(from, last, priority, sequence);
            } else {
                sink(from, last, priority, sequence);
            }
        }
    }

    private void rise(int from, int id, long priority, long sequence) {
        int to = from;
        while (to > 0) {
            int parent = (to - 1) / CHILDREN;
            if (!Node.isBefore(priority, sequence, order[2 * parent], order[2 * parent + 1])) {
                break;
            }
            set(to, heap[parent], order[2 * parent], order[2 * parent + 1]);
            to = parent;
        }
        set(to, id, priority, sequence);
    }

    private void sink(int from, int id, long priority, long sequence) {
        int to = from;
        for (int child = earliestChild(to); child > 0; child = earliestChild(to)) {
            if (!Node.isBefore(order[2 * child], order[2 * child + 1], priority, sequence)) {
                break;
            }
            set(to, heap[child], order[2 * child], order[2 * child + 1]);
            to = child;
        }
        set(to, id, priority, sequence);
    }

    /** 0 if there is none. */
    private int earliestChild(int parent) {
        int child = parent * CHILDREN + 1;
        if (child >= sorted) {
            return 0;
        }
        int end = Math.min(child + CHILDREN, sorted);
        int earliest = child;
        for (int other = child + 1; other < end; other++) {
            if (Node.isBefore(order[2 * other], order[2 * other + 1], order[2 * earliest], order[2 * earliest + 1])) {
                earliest = other;
            }
        }
        return earliest;
    }

    private void set(int to, int id, long priority, long sequence) {
        heap[to] = id;
        at[id] = to;
        order[2 * to] = priority;
        order[2 * to + 1] = sequence;
    }
}
