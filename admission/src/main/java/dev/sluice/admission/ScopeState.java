package dev.sluice.admission;

import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the ledger knows of one scope. Provider slots are scopes too, so one mechanism serves all. */
final class ScopeState {
    final Scope scope;
    ScopePolicy policy = ScopePolicy.UNLIMITED;

    /** Thousandths; {@link Long#MAX_VALUE} for unlimited. */
    long limit = Long.MAX_VALUE;

    /** False for a provider that must not get work: disabled, draining, down or gone. */
    boolean open = true;

    /** Routes or providers refer to it. */
    boolean pinned;

    long active;
    int waitingSync;
    int waitingAsync;

    /** Thousandths that all waiting tasks ask of it, for the virtual usage of asynchronous registration. */
    long waitingAmount;

    /** Queues whose tasks carry this scope, by their heads: the first head is the scope's front. */
    final TreeSet<Binding> heads = new TreeSet<>(Binding.BY_HEAD);

    /** Queues that cannot move until this scope has room. */
    final Watchers watchers = new Watchers();

    /** Queues whose head must first become the front of this scope (strict ordering). */
    final Set<Binding> frontWatchers = new HashSet<>();

    /** Tasks that set their amount aside here; only the first counts. */
    final TreeSet<Node> starved = new TreeSet<>(Node.ORDER);

    final HoldTime holdTime = new HoldTime();

    /** The last sorted copy of a long line, see {@link Lines}. */
    Lines.@Nullable Line line;

    ScopeState(Scope scope) {
        this.scope = scope;
    }

    int waiting() {
        return waitingSync + waitingAsync;
    }

    boolean isLimited() {
        return limit != Long.MAX_VALUE;
    }

    /** Room by the limit alone. */
    boolean fits(long amount) {
        return open && (limit == Long.MAX_VALUE || active + amount <= limit);
    }

    /** Room for {@code node} beyond what an earlier starved task sets aside. */
    boolean hasRoom(long amount, Node node) {
        if (!fits(amount)) {
            return false;
        }
        if (starved.isEmpty() || limit == Long.MAX_VALUE) {
            return true;
        }
        Node holder = setAsideBy();
        return holder == null || holder == node || node.before(holder) || active + amount + amountOf(holder) <= limit;
    }

    /** The one task that sets its amount aside here: the first in order that is not merely short of a long slot. */
    @Nullable
    Node setAsideBy() {
        for (Node node : starved) {
            if (!node.isLongBlocked()) {
                return node;
            }
        }
        return null;
    }

    /** What the task needs here; a provider slot is always one. */
    long amountOf(Node node) {
        if (scope.type().equals(Scope.PROVIDER) || scope.type().equals(Scope.PROVIDER_LONG)) {
            return Amount.ONE;
        }
        for (Demand demand : node.row.ask().demands()) {
            if (demand.scope().equals(scope)) {
                return demand.amount();
            }
        }
        return node.row.ask().routing().map(Routing::amount).orElse(0L);
    }

    /** The first waiting task in order that needs this scope. */
    @Nullable
    Node front() {
        return heads.isEmpty() ? null : heads.first().head();
    }

    /** Whether a waiting task before {@code node} needs more of this scope than is free. */
    boolean lacksRoomForOneBefore(Node node) {
        for (Binding binding : heads) {
            Node head = binding.head();
            if (head == null || !head.before(node)) {
                return false;
            }
            if (!fits(amountOf(head))) {
                return true;
            }
        }
        return false;
    }

    /** The earliest queue that waits for this scope and for which it has room now. */
    @Nullable
    Binding candidate() {
        Binding first = open ? watchers.first(this) : null;
        if (!frontWatchers.isEmpty() && !heads.isEmpty()) {
            Binding front = heads.first();
            if (frontWatchers.contains(front) && (first == null || Binding.BY_HEAD.compare(front, first) < 0)) {
                return front;
            }
        }
        return first;
    }

    boolean isIdle() {
        return active == 0 && waiting() == 0 && heads.isEmpty() && watchers.isEmpty() && frontWatchers.isEmpty();
    }
}
