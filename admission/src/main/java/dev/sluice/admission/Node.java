package dev.sluice.admission;

import java.util.Comparator;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A task's row with its places in the indexes of the {@link Book}: of a hundred thousand that wait each was last seen a
 * second ago, so everything that a decision needs of one lies together here, and nothing else of it is read.
 */
final class Node {
    /** The order of the ledger: a lower priority number first, then who came first. */
    static final Comparator<Node> ORDER =
            Comparator.<Node>comparingInt(node -> node.priority).thenComparingLong(node -> node.sequence);

    final UUID task;

    Row row;
    int priority;
    long sequence;
    boolean isSync;

    /** The queue it stands in; null when admitted, detached or suspended. */
    @Nullable
    Binding binding;

    /** The queue it would stand in if it were not detached: where it counts as waiting. */
    @Nullable
    Binding home;

    /** The platform model it counts in while it waits. */
    @Nullable
    ScopeState boundTo;

    /** What it holds, resolved; meaningful while its row has a grant. */
    @Nullable
    Footprint footprint;

    /** Who is told how its wait ends, in an engine that keeps this here. */
    @Nullable
    Claim claim;

    /** It was overtaken so often that it sets its amount aside. */
    boolean starved;

    /** Its neighbours in its {@link Line}, which alone writes these. */
    @Nullable
    Node previous;

    @Nullable
    Node next;

    /** The order of {@link #next}, so that a line knows its new front without a look at it. */
    int nextPriority;

    long nextSequence;
    boolean isStray;

    /** Its place in the {@link Agenda}, which alone writes these. */
    long dueAt;

    int dueSlot;

    @Nullable
    Ring ring;

    Node(Row row) {
        this.task = row.task();
        this.row = row;
        rank(row);
    }

    /** Takes another row of the same task. Its order may change only while it stands in no queue. */
    void show(Row changed) {
        boolean isRanked = changed.ask().equals(row.ask()) && changed.sequence() == sequence;
        row = changed;
        if (!isRanked) {
            rank(changed);
        }
    }

    private void rank(Row changed) {
        priority = changed.ask().priority();
        sequence = changed.sequence();
        isSync = changed.ask().isSync();
    }

    boolean before(Node other) {
        return isBefore(priority, sequence, other.priority, other.sequence);
    }

    static boolean isBefore(long priority, long sequence, long otherPriority, long otherSequence) {
        return priority != otherPriority ? priority < otherPriority : sequence < otherSequence;
    }

    boolean holdsUpNobody() {
        return binding != null && binding.holdsUpNobody();
    }
}
