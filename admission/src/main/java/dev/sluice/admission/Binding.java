package dev.sluice.admission;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The queue of all waiting tasks that need exactly the same: equal demands, equal routing, the same entries of the
 * route open to them. What blocks its head blocks all of it, so decisions look at heads only.
 */
final class Binding {
    /** Queues by their heads; a queue must leave every set ordered so before its head changes. */
    static final Comparator<Binding> BY_HEAD = (a, b) -> {
        if (a == b) {
            return 0;
        }
        return Node.ORDER.compare(a.requireHead(), b.requireHead());
    };

    /**
     * @param stage how many steps of the route's spill-after the tasks have waited out
     */
    record Key(List<Demand> demands, @Nullable Routing routing, int stage) {}

    final Key key;
    final ScopeState[] scopes;
    final long[] amounts;
    final @Nullable RouteState route;
    final TreeSet<Node> queue = new TreeSet<>(Node.ORDER);

    /** Why the head waits; meaningful while parked. */
    WaitReason reason = WaitReason.of(WaitReason.Kind.BEHIND_OTHERS);

    private final List<Watch> watched = new ArrayList<>(2);
    private @Nullable List<ScopeState> headIn;

    Binding(Key key, ScopeState[] scopes, @Nullable RouteState route) {
        this.key = key;
        this.scopes = scopes;
        this.route = route;
        this.amounts = key.demands().stream().mapToLong(Demand::amount).toArray();
    }

    /** @param amount thousandths, or 0 to watch for becoming the front */
    record Watch(ScopeState scope, long amount) {
        boolean blocks(Node head) {
            return amount == 0 ? scope.front() != head : !scope.hasRoom(amount, head);
        }
    }

    @Nullable
    Node head() {
        return queue.isEmpty() ? null : queue.first();
    }

    private Node requireHead() {
        return queue.first();
    }

    boolean isLong() {
        Routing routing = key.routing();
        return routing != null && routing.longContext();
    }

    long routedAmount() {
        Routing routing = key.routing();
        return routing == null ? 0 : routing.amount();
    }

    /** The scopes in whose lines the head of this queue stands. */
    List<ScopeState> fronts() {
        return headIn == null ? List.of() : headIn;
    }

    /** Every scope in which the head of this queue may be the front. */
    private List<ScopeState> fronted() {
        List<ScopeState> all = new ArrayList<>(scopes.length + 4);
        all.addAll(List.of(scopes));
        if (route != null) {
            route.addFronted(all, key.stage(), avoided());
        }
        return all;
    }

    /** The entries of the route that are open to these tasks, in order of preference; empty without a route. */
    List<RouteState.Entry> entries() {
        return route == null ? List.of() : route.open(key.stage(), avoided());
    }

    private Set<String> avoided() {
        Routing routing = key.routing();
        return routing == null ? Set.of() : routing.avoided();
    }

    void park(List<Watch> blockers, WaitReason why) {
        reason = why;
        watched.addAll(blockers);
        addToWatched();
    }

    void unpark() {
        removeFromWatched();
        watched.clear();
    }

    /** Only between {@link #beforeHeadChange} and {@link #afterHeadChange}. */
    void forgetWatched() {
        watched.clear();
    }

    boolean isParked() {
        return !watched.isEmpty();
    }

    /**
     * Whether a scope of its own keeps the head from running, so that whoever stands behind it gets the same answer. A
     * task that moves has just let go of what it held, so the last look may be out of date.
     */
    boolean waitsForScope() {
        return switch (reason.kind()) {
            case SCOPE, BEHIND_OTHERS ->
                watched.size() == 1 && watched.getFirst().blocks(requireHead());
            case CAPACITY_FULL, LONG_CONTEXT_CAPACITY_FULL, NO_LIVE_PROVIDER, DETACHED -> false;
        };
    }

    List<Watch> watched() {
        return watched;
    }

    /** Takes the queue out of every set that is ordered by its head. */
    void beforeHeadChange() {
        if (headIn != null) {
            headIn.forEach(scope -> scope.heads.remove(this));
            headIn = null;
            removeFromWatched();
        }
    }

    /** Puts the queue back under its new head; an empty queue watches nothing. */
    void afterHeadChange() {
        if (queue.isEmpty()) {
            watched.clear();
            return;
        }
        List<ScopeState> in = fronted();
        in.forEach(scope -> scope.heads.add(this));
        headIn = in;
        addToWatched();
    }

    private void addToWatched() {
        for (Watch watch : watched) {
            if (watch.amount() == 0) {
                watch.scope().frontWatchers.add(this);
            } else {
                watch.scope().watchers.add(this, watch.amount());
            }
        }
    }

    private void removeFromWatched() {
        for (Watch watch : watched) {
            if (watch.amount() == 0) {
                watch.scope().frontWatchers.remove(this);
            } else {
                watch.scope().watchers.remove(this, watch.amount());
            }
        }
    }
}
