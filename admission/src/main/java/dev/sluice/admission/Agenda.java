package dev.sluice.admission;

import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Tasks by the next instant at which time alone changes something for them. A task whose instant moved later keeps its
 * old place until it is met, so renewals cost nothing here.
 *
 * <p>Most instants are "now and a fixed while": waiter leases, lease TTLs. Each while has its own ring, into which its
 * tasks come in order; what fits into none is a stray and stands in a tree.
 */
final class Agenda {
    private static final int RINGS = 6;
    private static final Comparator<Node> BY_INSTANT =
            Comparator.<Node>comparingLong(node -> node.dueAt).thenComparingLong(node -> node.sequence);

    /** Stands for the tree, so that a node knows that it is in there. */
    private final Ring stray = new Ring();

    private final TreeSet<Node> strays = new TreeSet<>(BY_INSTANT);
    private final Ring[] rings = new Ring[RINGS];
    private int size;

    /** The earliest instant of all, unless it is to be found again. */
    private long next = Long.MAX_VALUE;

    private boolean isKnown = true;

    Agenda() {
        for (int i = 0; i < RINGS; i++) {
            rings[i] = new Ring();
        }
    }

    /** Makes sure that {@code node} is met at {@code at} or earlier; {@link Long#MAX_VALUE} for never. */
    void arm(Node node, long at) {
        if (at == Long.MAX_VALUE || (node.ring != null && node.dueAt <= at)) {
            return;
        }
        disarm(node);
        node.dueAt = at;
        enter(node);
        size++;
        next = Math.min(next, at);
    }

    private void enter(Node node) {
        for (Ring ring : rings) {
            if (ring.takes(node.dueAt, node.sequence)) {
                ring.add(node);
                return;
            }
        }
        node.ring = stray;
        strays.add(node);
    }

    void disarm(Node node) {
        Ring ring = node.ring;
        if (ring == null) {
            return;
        }
        if (ring == stray) {
            strays.remove(node);
            node.ring = null;
        } else {
            ring.remove(node);
        }
        size--;
        if (node.dueAt == next) {
            isKnown = false;
        }
    }

    /** Takes out the first task that is due; null if none is. */
    @Nullable
    Node poll(long now) {
        if (next() > now) {
            return null;
        }
        Node first = first();
        if (first != null) {
            disarm(first);
        }
        return first;
    }

    /** When the next task may be due; {@link Long#MAX_VALUE} if none. */
    long next() {
        if (!isKnown) {
            isKnown = true;
            next = size == 0 ? Long.MAX_VALUE : earliest();
        }
        return next;
    }

    private long earliest() {
        long earliest = strays.isEmpty() ? Long.MAX_VALUE : strays.first().dueAt;
        for (Ring ring : rings) {
            if (!ring.isEmpty()) {
                earliest = Math.min(earliest, ring.firstAt());
            }
        }
        return earliest;
    }

    private @Nullable Node first() {
        Node first = strays.isEmpty() ? null : strays.first();
        long at = first == null ? Long.MAX_VALUE : first.dueAt;
        long sequence = first == null ? Long.MAX_VALUE : first.sequence;
        for (Ring ring : rings) {
            if (!ring.isEmpty() && Node.isBefore(ring.firstAt(), ring.firstSequence(), at, sequence)) {
                first = ring.firstNode();
                at = ring.firstAt();
                sequence = ring.firstSequence();
            }
        }
        return first;
    }
}
