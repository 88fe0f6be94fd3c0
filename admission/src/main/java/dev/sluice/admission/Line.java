package dev.sluice.admission;

import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tasks in order. Nearly all come last and leave at the front, so the line is a list linked through the tasks
 * themselves, and both cost the same however long it is. Whoever comes out of turn, by a better priority or by going
 * back to an old place, is a stray and stands in a tree beside the list.
 */
class Line {
    private @Nullable Link head;
    private @Nullable Link tail;
    private @Nullable TreeSet<Link> strays;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    @Nullable
    Link first() {
        if (strays == null || strays.isEmpty()) {
            return head;
        }
        Link stray = strays.first();
        return head != null && head.isBefore(stray) ? head : stray;
    }

    /** Whether {@code link} would come last of those in the list, which makes its coming and going cheap. */
    boolean takesAtEnd(Link link) {
        return tail == null || tail.isBefore(link);
    }

    void add(Link link) {
        if (link.line != null) {
            throw new IllegalStateException(
                    "already in a line: " + link.node().row.task());
        }
        link.line = this;
        size++;
        if (takesAtEnd(link)) {
            link.previous = tail;
            if (tail == null) {
                head = link;
            } else {
                tail.next = link;
            }
            tail = link;
        } else {
            link.isStray = true;
            strays = strays == null ? new TreeSet<>() : strays;
            strays.add(link);
        }
    }

    void remove(Link link) {
        if (!equals(link.line)) {
            throw new IllegalStateException(
                    "not in this line: " + link.node().row.task());
        }
        link.line = null;
        size--;
        if (link.isStray) {
            link.isStray = false;
            if (strays != null) {
                strays.remove(link);
            }
        } else {
            unlink(link);
        }
    }

    private void unlink(Link link) {
        Link previous = link.previous;
        Link next = link.next;
        if (previous == null) {
            head = next;
        } else {
            previous.next = next;
            link.previous = null;
        }
        if (next == null) {
            tail = previous;
        } else {
            next.previous = previous;
            link.next = null;
        }
    }

    int countBefore(Link link) {
        int before = strays == null ? 0 : strays.headSet(link).size();
        for (Link each = head; each != null && each.isBefore(link); each = each.next) {
            before++;
        }
        return before;
    }

    /** In no order. */
    void forEach(Consumer<Node> action) {
        for (Link each = head; each != null; each = each.next) {
            action.accept(each.node());
        }
        if (strays != null) {
            strays.forEach(link -> action.accept(link.node()));
        }
    }
}
