package dev.sluice.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The queue of all waiting tasks that need exactly the same: equal demands, equal routing, the same entries of the
 * route open to them. What blocks its head blocks all of it, so decisions look at heads only. It also keeps all that
 * follows from these needs, resolved against the policies; so it lives no longer than they do.
 */
final class Binding extends Line {
    /**
     * Asks of the same kind share their demands and routing, so equality is mostly one of references, and the hash
     * takes just the words, whose own hashes are kept. It is mixed, since numbered names hash to neighbouring numbers.
     *
     * @param stage how many steps of the route's spill-after the tasks have waited out
     * @param share the same for all tasks where nothing is reserved
     */
    record Key(List<Demand> demands, @Nullable Routing routing, int stage, Share share) {
        private static final int MIX = 0x9e3779b1;

        Key at(int later) {
            return new Key(demands, routing, later, share);
        }

        @Override
        public int hashCode() {
            int hash = routing == null ? stage : routing.route().hashCode() + stage;
            for (int i = 0; i < demands.size(); i++) {
                hash = hash * MIX + demands.get(i).scope().key().hashCode();
            }
            return hash * MIX;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key(List<Demand> theirs, Routing theirRouting, int theirStage, Share theirShare)
                    && stage == theirStage
                    && share == theirShare
                    && Objects.equals(routing, theirRouting)
                    && same(demands, theirs);
        }

        /** What {@code demands.equals} says, without its iterators. */
        private static boolean same(List<Demand> ours, List<Demand> theirs) {
            int size = ours.size();
            if (size != theirs.size()) {
                return false;
            }
            for (int i = 0; i < size; i++) {
                Demand our = ours.get(i);
                Demand their = theirs.get(i);
                if (our.amount() != their.amount() || !our.scope().equals(their.scope())) {
                    return false;
                }
            }
            return true;
        }
    }

    final Key key;
    private final Optional<Routing> routing;
    final ScopeState[] scopes;
    final long[] amounts;
    final @Nullable RouteState route;

    /** Nanoseconds that the policies let a synchronous task wait; 0 while nobody has asked. See {@link Deadlines}. */
    long syncWait;

    /** Its place among the queues whose head must be looked at. */
    final Heads.Place fresh = new Heads.Place(this, 0, 0);

    /** Thousandths of a platform model that each task takes; 0 without a route. */
    final long routedAmount;

    final boolean isLong;

    /**
     * A bit for each of its fronts: whether the line there knows the head, and so must be told of another one. The others
     * are not touched. Written by {@link Heads} as it sorts.
     */
    long settled;

    /** Why the head waits; meaningful while parked. */
    WaitReason reason = WaitReason.of(WaitReason.Kind.BEHIND_OTHERS);

    /** The entries without the providers that these tasks avoid. */
    private final List<RouteState.Entry> allEntries;

    private final @Nullable Footprint[][] footprints;
    private List<RouteState.Entry> openEntries = List.of();
    /** What its head waits for while it is parked. */
    private List<Fitting.Blocker> watched = List.of();

    private final List<Stand> watching = new ArrayList<>(1);

    /** How many of these are no fronts. */
    private int sideWatches;

    /** Every scope in whose line the head of this queue stands; kept while the queue is empty, for the next. */
    private Stand[] fronts = {};

    private boolean stands;

    /** The last asked for, since it is most often asked for again. */
    private @Nullable Footprint lastFootprint;

    private RouteState.@Nullable Entry lastEntry;
    private int lastCandidate;

    private @Nullable List<RouteState.Entry> frontsOf;

    Binding(Key key, ScopeState[] scopes, @Nullable RouteState route) {
        this.key = key;
        this.scopes = scopes;
        this.route = route;
        this.amounts =
                Amount.shared(key.demands().stream().mapToLong(Demand::amount).toArray());
        this.routing = Optional.ofNullable(key.routing());
        this.routedAmount = routing.map(Routing::amount).orElse(0L);
        this.isLong = routing.map(Routing::longContext).orElse(false);
        this.allEntries = route == null ? List.of() : route.entries(avoided());
        this.footprints = new Footprint[Math.max(1, allEntries.size())][];
    }

    /**
     * The same ask with the needs of this queue, to which it must belong: those who wait share them, which leaves less to
     * remember, and to copy for a collector.
     */
    Ask shared(Ask ask) {
        return new Ask(ask.task(), ask.mode(), ask.priority(), key.demands(), routing, ask.maxWait(), ask.label());
    }

    /** The head; the queue must not be empty. */
    Node front() {
        return Objects.requireNonNull(head(), "an empty queue has no head");
    }

    /**
     * Whether its tasks lack just a slot of their own sort, where one of another sort is free: that is no claim on what
     * others take.
     */
    boolean holdsUpNobody() {
        return switch (reason.kind()) {
            case LONG_CONTEXT_CAPACITY_FULL, CAPACITY_RESERVED -> true;
            case SCOPE, BEHIND_OTHERS, CAPACITY_FULL, NO_LIVE_PROVIDER, DETACHED -> false;
        };
    }

    /** Whether these tasks name a route that does not exist. */
    boolean isAstray() {
        return route == null && key.routing() != null;
    }

    private Set<String> avoided() {
        return routing.map(Routing::avoided).orElse(Set.of());
    }

    /**
     * The entries of the route that are open to these tasks, in order of preference; empty without a route. The same
     * list as long as the same entries are open.
     */
    List<RouteState.Entry> entries() {
        if (route == null || allEntries.size() == 1) {
            return allEntries;
        }
        List<RouteState.Entry> now = route.open(allEntries, key.stage());
        if (!now.equals(openEntries)) {
            openEntries = now;
        }
        return openEntries;
    }

    /** What a task that needs no route holds. */
    Footprint footprint() {
        @Nullable Footprint[] only = footprints[0];
        if (only == null) {
            only = new Footprint[] {Footprint.of(scopes, amounts)};
            footprints[0] = only;
        }
        return Objects.requireNonNull(only[0]);
    }

    /** @param candidate index among the candidates of {@code entry} */
    Footprint footprint(RouteState.Entry entry, int candidate) {
        Footprint last = lastFootprint;
        if (last == null || !entry.equals(lastEntry) || lastCandidate != candidate) {
            last = findFootprint(entry, candidate);
            lastFootprint = last;
            lastEntry = entry;
            lastCandidate = candidate;
        }
        return last;
    }

    private Footprint findFootprint(RouteState.Entry entry, int candidate) {
        int at = allEntries.indexOf(entry);
        @Nullable Footprint[] ofEntry = footprints[at];
        if (ofEntry == null) {
            ofEntry = new Footprint[entry.candidates().size()];
            footprints[at] = ofEntry;
        }
        Footprint footprint = ofEntry[candidate];
        if (footprint == null) {
            footprint = Footprint.on(this, entry, entry.candidates().get(candidate));
            ofEntry[candidate] = footprint;
        }
        return footprint;
    }

    /** The state of a platform model that one of these tasks is bound to. */
    @Nullable
    ScopeState platformModel(Scope bound) {
        for (RouteState.Entry entry : allEntries) {
            if (entry.platformModel().scope.equals(bound)) {
                return entry.platformModel();
            }
        }
        return null;
    }

    void park(List<Fitting.Blocker> blockers, WaitReason why) {
        reason = why;
        if (watched.equals(blockers)) {
            return;
        }
        unpark();
        watched = blockers;
        for (Fitting.Blocker blocker : blockers) {
            if (blocker.amount() == 0) {
                blocker.scope().watchFront(this);
            } else {
                Stand stand = stand(blocker);
                watching.add(stand);
                sideWatches += stand.isFront ? 0 : 1;
                stand.scope.watch(stand);
            }
        }
    }

    private Stand stand(Fitting.Blocker blocker) {
        for (Stand front : fronts) {
            if (front.scope == blocker.scope() && front.amount == blocker.amount()) {
                return front;
            }
        }
        return new Stand(this, blocker.scope(), blocker.amount(), false, 0);
    }

    void unpark() {
        for (Stand stand : watching) {
            stand.scope.unwatch(stand);
        }
        watching.clear();
        sideWatches = 0;
        for (Fitting.Blocker blocker : watched) {
            if (blocker.amount() == 0) {
                blocker.scope().unwatchFront(this);
            }
        }
        watched = List.of();
    }

    boolean isParked() {
        return !watched.isEmpty();
    }

    List<Fitting.Blocker> watched() {
        return watched;
    }

    /**
     * Whether a scope of its own keeps the head from running, so that whoever stands behind it gets the same answer. A
     * task that moves has just let go of what it held, so the last look may be out of date.
     */
    boolean waitsForScope() {
        return switch (reason.kind()) {
            case SCOPE, BEHIND_OTHERS -> watched.size() == 1 && blocks(watched.getFirst(), front());
            case CAPACITY_FULL, CAPACITY_RESERVED, LONG_CONTEXT_CAPACITY_FULL, NO_LIVE_PROVIDER, DETACHED -> false;
        };
    }

    private static boolean blocks(Fitting.Blocker blocker, Node head) {
        return blocker.amount() == 0
                ? blocker.scope().front() != head
                : !blocker.scope().hasRoom(blocker.amount(), head);
    }

    /** The scopes in whose lines the head of this queue stands. */
    List<Stand> fronts() {
        return isEmpty() ? List.of() : List.of(fronts);
    }

    /** Puts the queue where its new head belongs; an empty queue stands nowhere and watches nothing. */
    void headChanged() {
        if (isEmpty()) {
            unpark();
            leaveFronts();
            return;
        }
        List<RouteState.Entry> entries = entries();
        if (!entries.equals(frontsOf)) {
            // What it watches may be among the scopes it leaves; it is looked at again.
            unpark();
            leaveFronts();
            fronts = fronts(entries);
            frontsOf = entries;
        }
        if (stands) {
            tellFronts();
        } else {
            stands = true;
            for (Stand stand : fronts) {
                stand.scope.stand(stand);
            }
        }
        if (sideWatches > 0) {
            for (Stand stand : watching) {
                if (!stand.isFront) {
                    stand.scope.watch(stand);
                }
            }
        }
    }

    private void tellFronts() {
        for (long left = settled; left != 0; left &= left - 1) {
            Stand stand = fronts[Long.numberOfTrailingZeros(left)];
            stand.scope.stand(stand);
        }
        for (int i = Long.SIZE; i < fronts.length; i++) {
            fronts[i].scope.stand(fronts[i]);
        }
    }

    private void leaveFronts() {
        for (Stand stand : fronts) {
            stand.scope.leave(stand);
        }
        stands = false;
        settled = 0;
    }

    private Stand[] fronts(List<RouteState.Entry> entries) {
        List<Stand> all = new ArrayList<>(scopes.length + 2);
        for (int i = 0; i < scopes.length; i++) {
            all.add(new Stand(this, scopes[i], amounts[i], true, bit(all)));
        }
        for (RouteState.Entry entry : entries) {
            addFront(all, entry.platformModel(), routedAmount);
            for (ProviderSlots candidate : entry.candidates()) {
                addFront(all, candidate.slots, Amount.ONE);
            }
        }
        return all.toArray(Stand[]::new);
    }

    private void addFront(List<Stand> all, ScopeState scope, long amount) {
        if (all.stream().noneMatch(stand -> stand.scope == scope)) {
            all.add(new Stand(this, scope, amount, true, bit(all)));
        }
    }

    /** Of the next of these fronts; 0 when there are too many. */
    private static long bit(List<Stand> before) {
        return before.size() < Long.SIZE ? 1L << before.size() : 0;
    }
}
