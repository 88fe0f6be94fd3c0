package dev.sluice.admission;

import org.jspecify.annotations.Nullable;

/**
 * Tasks by the next instant at which time alone changes something for them. A task whose instant moved later keeps its
 * old place until it is met, so renewals cost nothing here.
 *
 * <p>Most instants are "now and a fixed while": waiter leases, lease TTLs. Each while has its own line, into which its
 * tasks come in order; what fits into none is a stray of the last.
 */
final class Agenda {
    private static final int LINES = 6;

    private final Line[] lines = new Line[LINES];

    /** The earliest of all, or null to be found again. */
    private @Nullable Link earliest;

    private int size;

    Agenda() {
        for (int i = 0; i < LINES; i++) {
            lines[i] = new Line();
        }
    }

    /** Makes sure that {@code node} is met at {@code at} or earlier; {@link Long#MAX_VALUE} for never. */
    void arm(Node node, long at) {
        Link due = node.due;
        if (at == Long.MAX_VALUE || (due.line != null && due.first <= at)) {
            return;
        }
        disarm(node);
        due.first = at;
        due.second = node.second;
        lineFor(due).add(due);
        if (size++ == 0 || (earliest != null && due.isBefore(earliest))) {
            earliest = due;
        }
    }

    private Line lineFor(Link due) {
        for (Line line : lines) {
            if (line.takesAtEnd(due)) {
                return line;
            }
        }
        return lines[LINES - 1];
    }

    void disarm(Node node) {
        Link due = node.due;
        if (due.line != null) {
            due.line.remove(due);
            size--;
            if (due.equals(earliest)) {
                earliest = null;
            }
        }
    }

    /** Takes out the first task that is due; null if none is. */
    @Nullable
    Node poll(long now) {
        Link first = first();
        if (first == null || first.first > now) {
            return null;
        }
        Node node = first.node();
        disarm(node);
        return node;
    }

    /** When the next task may be due; {@link Long#MAX_VALUE} if none. */
    long next() {
        Link first = first();
        return first == null ? Long.MAX_VALUE : first.first;
    }

    private @Nullable Link first() {
        if (earliest == null && size > 0) {
            for (Line line : lines) {
                Link first = line.first();
                if (first != null && (earliest == null || first.isBefore(earliest))) {
                    earliest = first;
                }
            }
        }
        return earliest;
    }
}
