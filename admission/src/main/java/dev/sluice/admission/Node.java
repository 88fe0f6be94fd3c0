package dev.sluice.admission;

import java.util.Comparator;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task's row with its places in the indexes of the {@link Book}. It is itself its place in its queue, by priority and
 * sequence.
 */
final class Node extends Link {
    /** The order of the ledger: a lower priority number first, then who came first. */
    static final Comparator<Node> ORDER = Link::compareTo;

    final UUID task;

    Row row;

    /** The next in its chain of {@link Nodes}. */
    @Nullable
    Node chained;

    /** Its place in the {@link Agenda}, by the instant and sequence. */
    final Link due = new Due(this);

    /** The queue it stands in; null when admitted, detached or suspended. */
    @Nullable
    Binding binding;

    /** The queue it would stand in if it were not detached: where it counts as waiting. */
    @Nullable
    Binding home;

    boolean isSync;

    /** The platform model it counts in while it waits. */
    @Nullable
    ScopeState boundTo;

    /** What it holds, resolved; meaningful while its row has a grant. */
    @Nullable
    Footprint footprint;

    /** It was overtaken so often that it sets its amount aside. */
    boolean starved;

    Node(Row row) {
        this.task = row.task();
        this.row = row;
        show(row);
    }

    /** Takes another row of the same task. Its order may change only while it stands in no queue. */
    void show(Row changed) {
        row = changed;
        first = changed.ask().priority();
        second = changed.sequence();
        isSync = changed.ask().isSync();
    }

    @Override
    Node node() {
        return this;
    }

    private static final class Due extends Link {
        private final Node node;

        Due(Node node) {
            this.node = node;
        }

        @Override
        Node node() {
            return node;
        }
    }

    int priority() {
        return row.ask().priority();
    }

    boolean before(Node other) {
        return isBefore(other);
    }

    boolean isLongBlocked() {
        return binding != null && binding.reason.kind() == WaitReason.Kind.LONG_CONTEXT_CAPACITY_FULL;
    }
}
