package dev.sluice.admission;

import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tasks in order. Nearly all come last and leave at the head, so the line is a list linked through the tasks
 * themselves, and both cost the same however long it is. Whoever comes out of turn, by a better priority or by going
 * back to an old place, is a stray and stands in a tree beside the list.
 *
 * <p>The line keeps the orders of its ends: those tasks were last touched long ago, and asking them would cost more
 * than all the rest.
 */
class Line {
    private @Nullable Node oldest;
    private int oldestPriority;
    private long oldestSequence;

    private @Nullable Node newest;
    private int newestPriority;
    private long newestSequence;

    private @Nullable TreeSet<Node> strays;
    private int size;

    private @Nullable Node head;
    private int headPriority;
    private long headSequence;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** The first in order. */
    @Nullable
    Node head() {
        return head;
    }

    /** Of the first in order; the line must not be empty. */
    long headPriority() {
        return headPriority;
    }

    long headSequence() {
        return headSequence;
    }

    /** Whether somebody stands here who comes before {@code node}. */
    boolean isBefore(Node node) {
        return size > 0 && Node.isBefore(headPriority, headSequence, node.priority, node.sequence);
    }

    /** Neither must be empty. */
    boolean headBefore(Line other) {
        return Node.isBefore(headPriority, headSequence, other.headPriority, other.headSequence);
    }

    void add(Node node) {
        size++;
        Node last = newest;
        if (last == null) {
            oldest = node;
            oldestPriority = node.priority;
            oldestSequence = node.sequence;
            append(node);
        } else if (Node.isBefore(newestPriority, newestSequence, node.priority, node.sequence)) {
            last.next = node;
            last.nextPriority = node.priority;
            last.nextSequence = node.sequence;
            node.previous = last;
            append(node);
        } else {
            node.isStray = true;
            strays = strays == null ? new TreeSet<>(Node.ORDER) : strays;
            strays.add(node);
        }
        findHead();
    }

    private void append(Node node) {
        newest = node;
        newestPriority = node.priority;
        newestSequence = node.sequence;
    }

    /** The node must stand here. */
    void remove(Node node) {
        size--;
        if (node.isStray) {
            node.isStray = false;
            if (strays != null) {
                strays.remove(node);
            }
        } else {
            unlink(node);
        }
        findHead();
    }

    private void unlink(Node node) {
        Node previous = node.previous;
        Node next = node.next;
        if (previous == null) {
            oldest = next;
            oldestPriority = node.nextPriority;
            oldestSequence = node.nextSequence;
        } else {
            previous.next = next;
            previous.nextPriority = node.nextPriority;
            previous.nextSequence = node.nextSequence;
            node.previous = null;
        }
        if (next != null) {
            next.previous = previous;
            node.next = null;
        } else if (previous != null) {
            append(previous);
        } else {
            newest = null;
        }
    }

    private void findHead() {
        Node stray = strays == null || strays.isEmpty() ? null : strays.first();
        Node first = oldest;
        if (stray != null
                && (first == null || Node.isBefore(stray.priority, stray.sequence, oldestPriority, oldestSequence))) {
            head = stray;
            headPriority = stray.priority;
            headSequence = stray.sequence;
        } else {
            if (head != first) {
                // A reference that is written costs a barrier, even if it stays the same.
                head = first;
            }
            headPriority = oldestPriority;
            headSequence = oldestSequence;
        }
    }

    int countBefore(Node node) {
        int before = strays == null ? 0 : strays.headSet(node).size();
        for (Node each = oldest; each != null && each.before(node); each = each.next) {
            before++;
        }
        return before;
    }

    /** In no order. */
    void forEach(Consumer<Node> action) {
        for (Node each = oldest; each != null; each = each.next) {
            action.accept(each);
        }
        if (strays != null) {
            strays.forEach(action);
        }
    }
}
