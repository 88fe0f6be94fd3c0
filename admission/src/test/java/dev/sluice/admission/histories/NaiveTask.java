package dev.sluice.admission.histories;

import dev.sluice.admission.Ask;
import dev.sluice.admission.Lease;
import dev.sluice.admission.Mode;
import dev.sluice.admission.Placement;
import dev.sluice.admission.Scope;
import java.util.List;
import java.util.Optional;

/** A task as the naive ledger sees it. Instants are nanoseconds; {@link Long#MAX_VALUE} is never. */
final class NaiveTask {
    Ask ask;
    final long sequence;

    /** When its wait began. */
    long since;

    long deadline = Long.MAX_VALUE;

    /** No reload moves the deadline beyond this. */
    long deadlineCap = Long.MAX_VALUE;

    long waiterUntil = Long.MAX_VALUE;
    boolean detached;
    int overtakes;

    /** It waits for a provider only and counts in the dispatch queue. */
    boolean dispatchOnly;

    /** The platform model whose queue it counts in. */
    Optional<Scope> bound = Optional.empty();

    /** Empty while it waits. */
    Optional<Holding> holding = Optional.empty();

    record Holding(long epoch, List<Lease> leases, Optional<Placement> placement, long ttl, long expiresAt) {
        Holding until(long later) {
            return new Holding(epoch, leases, placement, ttl, later);
        }
    }

    NaiveTask(Ask ask, long sequence, long since) {
        this.ask = ask;
        this.sequence = sequence;
        this.since = since;
    }

    NaiveTask(NaiveTask other) {
        this(other.ask, other.sequence, other.since);
        become(other);
    }

    void become(NaiveTask other) {
        ask = other.ask;
        since = other.since;
        deadline = other.deadline;
        deadlineCap = other.deadlineCap;
        waiterUntil = other.waiterUntil;
        detached = other.detached;
        overtakes = other.overtakes;
        dispatchOnly = other.dispatchOnly;
        bound = other.bound;
        holding = other.holding;
    }

    boolean waits() {
        return holding.isEmpty();
    }

    /** It stands in line: it waits and somebody is there. */
    boolean stands() {
        return waits() && !detached;
    }

    boolean before(NaiveTask other) {
        return ask.priority() != other.ask.priority()
                ? ask.priority() < other.ask.priority()
                : sequence < other.sequence;
    }

    /** The connection that holds the task; empty for an asynchronous one. */
    String waiter() {
        return waiter(ask);
    }

    static String waiter(Ask ask) {
        return switch (ask.mode()) {
            case Mode.Sync sync -> sync.waiter();
            case Mode.Async any -> "";
        };
    }
}
