package dev.sluice.admission;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Queues by their heads: a heap with four children a node, sorted no sooner than somebody asks for the first. Most
 * scopes have room and are never asked, and a queue that leaves and comes back in one decision moves once or not at
 * all. The order of each head is copied into one array, so a look follows no references.
 */
final class Heads {
    private static final int CHILDREN = 4;
    private static final int FIRST_CAPACITY = 4;
    private static final int MOVED_MIN = 16;
    private static final @Nullable Place[] NO_PLACES = {};
    private static final long[] NO_ORDER = {};

    /** The place of a queue in one heap, the same heap at all times. */
    static class Place {
        final Binding binding;

        /** Thousandths that each of its tasks needs there. */
        final long amount;

        private int at = -1;
        private boolean isIn;

        /** It came, went or got another head since the heap was sorted. */
        private boolean hasMoved;

        Place(Binding binding, long amount) {
            this.binding = binding;
            this.amount = amount;
        }

        boolean isIn() {
            return isIn;
        }
    }

    private @Nullable Place[] places = NO_PLACES;

    /** Two numbers for each place: the order of its queue's head. */
    private long[] order = NO_ORDER;

    private int sorted;
    private @Nullable Place[] moved = NO_PLACES;
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
        return at(index);
    }

    /** The one with the earliest head. */
    @Nullable
    Place first() {
        if (size == 0) {
            return null;
        }
        sort();
        return places[0];
    }

    private Place at(int index) {
        return Objects.requireNonNull(places[index]);
    }

    /** Puts a queue in, or to where it belongs after its head has changed. The queue must not be empty. */
    void put(Place place) {
        if (!place.isIn) {
            place.isIn = true;
            size++;
        }
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
        moved[movedCount++] = place;
        place.hasMoved = true;
    }

    /** Forgets whoever left. */
    void sort() {
        while (movedCount > 0) {
            Place place = Objects.requireNonNull(moved[--movedCount]);
            moved[movedCount] = null;
            place.hasMoved = false;
            if (place.isIn) {
                insert(place);
            } else if (place.at >= 0) {
                delete(place);
            }
        }
    }

    private void insert(Place place) {
        Link head = place.binding.front();
        int at = place.at;
        if (at < 0) {
            if (sorted == places.length) {
                int capacity = Math.max(FIRST_CAPACITY, 2 * sorted);
                places = Arrays.copyOf(places, capacity);
                order = Arrays.copyOf(order, 2 * capacity);
            }
            rise(sorted++, place, head.first, head.second);
        } else if (Link.isBefore(head.first, head.second, order[2 * at], order[2 * at + 1])) {
            rise(at, place, head.first, head.second);
        } else {
            sink(at, place, head.first, head.second);
        }
    }

    private void delete(Place place) {
        int at = place.at;
        place.at = -1;
        sorted--;
        Place last = at(sorted);
        places[sorted] = null;
        if (at < sorted) {
            long first = order[2 * sorted];
            long second = order[2 * sorted + 1];
            if (Link.isBefore(first, second, order[2 * at], order[2 * at + 1])) {
                rise(at, last, first, second);
            } else {
                sink(at, last, first, second);
            }
        }
    }

    private void rise(int from, Place place, long first, long second) {
        int at = from;
        while (at > 0) {
            int parent = (at - 1) / CHILDREN;
            if (!Link.isBefore(first, second, order[2 * parent], order[2 * parent + 1])) {
                break;
            }
            set(at, at(parent), order[2 * parent], order[2 * parent + 1]);
            at = parent;
        }
        set(at, place, first, second);
    }

    private void sink(int from, Place place, long first, long second) {
        int at = from;
        for (int child = earliestChild(at); child > 0; child = earliestChild(at)) {
            if (!Link.isBefore(order[2 * child], order[2 * child + 1], first, second)) {
                break;
            }
            set(at, at(child), order[2 * child], order[2 * child + 1]);
            at = child;
        }
        set(at, place, first, second);
    }

    /** 0 if there is none. */
    private int earliestChild(int at) {
        int child = at * CHILDREN + 1;
        if (child >= sorted) {
            return 0;
        }
        int end = Math.min(child + CHILDREN, sorted);
        int earliest = child;
        for (int other = child + 1; other < end; other++) {
            if (Link.isBefore(order[2 * other], order[2 * other + 1], order[2 * earliest], order[2 * earliest + 1])) {
                earliest = other;
            }
        }
        return earliest;
    }

    private void set(int at, Place place, long first, long second) {
        places[at] = place;
        place.at = at;
        order[2 * at] = first;
        order[2 * at + 1] = second;
    }
}
