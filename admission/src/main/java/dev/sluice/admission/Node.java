package dev.sluice.admission;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** A task's row with its places in the indexes of the {@link Book}. */
final class Node {
    /** The order of the ledger: a lower priority number first, then who came first. */
    static final Comparator<Node> ORDER =
            Comparator.comparingInt(Node::priority).thenComparingLong(Node::sequence);

    Row row;

    /** The queue it stands in; null when admitted, detached or suspended. */
    @Nullable
    Binding binding;

    /** The key under which the {@link Agenda} holds it; {@link Long#MAX_VALUE} if it does not. */
    long dueAt = Long.MAX_VALUE;

    /** It was overtaken so often that it sets its amount aside. */
    boolean starved;

    Node(Row row) {
        this.row = row;
    }

    int priority() {
        return row.ask().priority();
    }

    long sequence() {
        return row.sequence();
    }

    boolean before(Node other) {
        int mine = priority();
        int theirs = other.priority();
        return mine != theirs ? mine < theirs : sequence() < other.sequence();
    }

    boolean isLongBlocked() {
        return binding != null && binding.reason.kind() == WaitReason.Kind.LONG_CONTEXT_CAPACITY_FULL;
    }
}
