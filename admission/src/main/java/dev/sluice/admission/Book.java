package dev.sluice.admission;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The ledger's state and its indexes. Every row changes through {@link #replace}, which keeps all indexes true and
 * notes which scopes gained room and which queues got a new head; {@link Promotion} acts on these notes.
 */
final class Book {
    /** Idle queues kept to spare their creation; a bound, not a tuning. */
    private static final int IDLE_BINDINGS_MAX = 4_096;

    private static final int SWEEP_MIN = 1_024;

    final Map<UUID, Node> nodes = new HashMap<>();
    final Map<Scope, ScopeState> scopes = new HashMap<>();
    final Map<String, ProviderSlots> providers = new HashMap<>();
    final Map<String, RouteState> routes = new HashMap<>();
    final Map<Binding.Key, Binding> bindings = new HashMap<>();
    final Rotation rotation = new Rotation(routes);
    final Agenda agenda = new Agenda();
    final Holders holders = new Holders();

    /** Scopes that may have gained room or a new front. */
    final Set<ScopeState> dirty = new LinkedHashSet<>();

    /** Queues whose head must be looked at. */
    final TreeSet<Binding> fresh = new TreeSet<>(Binding.BY_HEAD);

    Policies policies = Policies.NONE;
    int waitingSync;
    int waitingAsync;
    private int usedBindings;
    private int sweepAt = SWEEP_MIN;

    /** The next to be drawn. Sequences order tasks; epochs fence admissions. */
    long nextSequence = 1;

    long nextEpoch = 1;

    @Nullable
    Node node(UUID task) {
        return nodes.get(task);
    }

    ScopeState scope(Scope scope) {
        ScopeState state = scopes.get(scope);
        if (state == null) {
            state = new ScopeState(scope);
            applyPolicy(state);
            scopes.put(scope, state);
        }
        return state;
    }

    /** A scope that routes and providers refer to, which therefore is never swept. */
    ScopeState pinned(Scope scope) {
        ScopeState state = scope(scope);
        state.pinned = true;
        return state;
    }

    void applyPolicy(ScopeState state) {
        state.policy = policies.of(state.scope);
        state.limit = state.policy.limit() == 0 ? Long.MAX_VALUE : state.policy.limit();
    }

    ProviderSlots provider(String id) {
        return providers.computeIfAbsent(
                id, any -> new ProviderSlots(id, pinned(Scope.provider(id)), pinned(Scope.providerLong(id))));
    }

    /** The queue for what {@code ask} needs after it has waited so long. */
    Binding binding(Ask ask, long waitedNanos) {
        Routing routing = ask.routing().orElse(null);
        RouteState route = routing == null ? null : routes.get(routing.route());
        int stage = route == null ? 0 : route.stage(waitedNanos);
        Binding.Key key = new Binding.Key(ask.demands(), routing, stage);
        Binding binding = bindings.get(key);
        if (binding == null) {
            if (bindings.size() - usedBindings > IDLE_BINDINGS_MAX) {
                bindings.values().removeIf(idle -> idle.queue.isEmpty());
            }
            ScopeState[] needed =
                    ask.demands().stream().map(demand -> scope(demand.scope())).toArray(ScopeState[]::new);
            binding = new Binding(key, needed, route);
            bindings.put(key, binding);
        }
        return binding;
    }

    /** Puts {@code after} in the place of {@code before}; either may be null, for a task that comes or goes. */
    void replace(@Nullable Row before, @Nullable Row after, long now) {
        Node node;
        raiseCounters(after);
        if (before == null) {
            if (after == null) {
                throw new IllegalArgumentException("nothing to replace");
            }
            node = new Node(after);
            nodes.put(after.task(), node);
        } else {
            node = nodes.get(before.task());
            if (node == null) {
                throw new IllegalStateException("unknown task " + before.task());
            }
            if (after != null && keepsIndexes(before, after)) {
                node.row = after;
                settleStarved(node);
                arm(node);
                return;
            }
            removeFromIndexes(node);
        }
        if (after == null) {
            agenda.disarm(node);
            nodes.remove(node.row.task());
        } else {
            node.row = after;
            addToIndexes(node, now);
        }
    }

    /** A mirror that applies another's rows must not draw their numbers again. */
    private void raiseCounters(@Nullable Row row) {
        if (row != null) {
            nextSequence = Math.max(nextSequence, row.sequence() + 1);
            Grant grant = row.grant();
            if (grant != null) {
                nextEpoch = Math.max(nextEpoch, grant.epoch() + 1);
            }
        }
    }

    /** Renewals, heartbeats and counts move no task in any index but the agenda. */
    private static boolean keepsIndexes(Row before, Row after) {
        Grant was = before.grant();
        Grant is = after.grant();
        boolean sameGrant = was == null ? is == null : is != null && was.epoch() == is.epoch();
        return sameGrant
                && before.detached() == after.detached()
                && before.dispatchOnly() == after.dispatchOnly()
                && Objects.equals(before.bound(), after.bound())
                && before.sequence() == after.sequence()
                && before.ask().priority() == after.ask().priority()
                && before.ask().demands().equals(after.ask().demands())
                && before.ask().routing().equals(after.ask().routing())
                && before.ask().isSync() == after.ask().isSync();
    }

    private void addToIndexes(Node node, long now) {
        Grant grant = node.row.grant();
        if (grant == null) {
            count(node, 1);
            if (!node.row.detached()) {
                join(node, now);
            }
        } else {
            for (Lease lease : grant.leases()) {
                scope(lease.scope()).active += lease.amount();
            }
        }
        arm(node);
    }

    private void removeFromIndexes(Node node) {
        Grant grant = node.row.grant();
        if (grant == null) {
            count(node, -1);
            leave(node);
        } else {
            for (Lease lease : grant.leases()) {
                ScopeState scope = scope(lease.scope());
                scope.active -= lease.amount();
                if (scope.active < 0) {
                    throw new IllegalStateException(scope.scope + " would fall below zero");
                }
                dirty.add(scope);
            }
        }
        agenda.disarm(node);
    }

    /** Puts a waiting task into the queue of what it needs. */
    void join(Node node, long now) {
        Binding binding = binding(node.row.ask(), now - node.row.enqueuedAt());
        boolean becomesHead = binding.queue.isEmpty() || node.before(binding.queue.first());
        if (becomesHead) {
            changeHead(binding, () -> binding.queue.add(node));
            fresh.add(binding);
        } else {
            binding.queue.add(node);
        }
        if (binding.queue.size() == 1) {
            usedBindings++;
        }
        node.binding = binding;
        settleStarved(node);
    }

    /** Takes a waiting task out of its queue; it may still count as waiting. */
    void leave(Node node) {
        Binding binding = node.binding;
        if (binding == null) {
            return;
        }
        unstarve(node);
        if (binding.queue.first() == node) {
            changeHead(binding, () -> binding.queue.remove(node));
        } else {
            binding.queue.remove(node);
        }
        if (binding.queue.isEmpty()) {
            usedBindings--;
        }
        node.binding = null;
    }

    private void changeHead(Binding binding, Runnable change) {
        boolean wasFresh = !binding.queue.isEmpty() && fresh.remove(binding);
        noteFronts(binding);
        binding.beforeHeadChange();
        change.run();
        binding.afterHeadChange();
        if (!binding.queue.isEmpty() && (wasFresh || !binding.isParked())) {
            fresh.add(binding);
        }
    }

    /** In strict ordering the next of each line may move up. */
    private void noteFronts(Binding binding) {
        if (policies.queueing().ordering() == Ordering.STRICT) {
            dirty.addAll(binding.fronts());
        }
    }

    /** Follows from the row alone, so that a mirror and an undone decision agree with the one that decided. */
    private void settleStarved(Node node) {
        if (node.binding == null || node.row.overtakes() < policies.queueing().maxOvertakes()) {
            unstarve(node);
        } else if (!node.starved) {
            node.starved = true;
            setAsideScopes(node).forEach(scope -> scope.starved.add(node));
        }
    }

    private void unstarve(Node node) {
        if (node.starved) {
            for (ScopeState scope : setAsideScopes(node)) {
                scope.starved.remove(node);
                dirty.add(scope);
            }
            node.starved = false;
        }
    }

    /** Its own scopes; of the route's platform models the one whose queue it counts in, since it needs just one. */
    List<ScopeState> setAsideScopes(Node node) {
        List<ScopeState> all = new ArrayList<>();
        node.row.ask().demands().forEach(demand -> all.add(scope(demand.scope())));
        Scope bound = node.row.bound();
        if (bound != null) {
            all.add(scope(bound));
        }
        return all;
    }

    private void count(Node node, int by) {
        Ask ask = node.row.ask();
        for (Demand demand : ask.demands()) {
            count(scope(demand.scope()), ask.isSync(), demand.amount() * by, by);
        }
        Scope bound = node.row.bound();
        if (bound != null) {
            long amount = ask.routing().map(Routing::amount).orElse(0L);
            count(scope(bound), ask.isSync(), amount * by, by);
        }
        if (ask.isSync()) {
            waitingSync += by;
        } else {
            waitingAsync += by;
        }
        if (node.row.dispatchOnly()) {
            ask.routing().map(routing -> routes.get(routing.route())).ifPresent(route -> route.dispatchWaiting += by);
        }
    }

    private static void count(ScopeState scope, boolean sync, long amount, int by) {
        scope.waitingAmount += amount;
        if (sync) {
            scope.waitingSync += by;
        } else {
            scope.waitingAsync += by;
        }
    }

    /** The platform model that a row may count in: its own, unless the route has left that, then the first. */
    @Nullable
    Scope boundOf(Row row) {
        RouteState route =
                row.ask().routing().map(routing -> routes.get(routing.route())).orElse(null);
        if (route == null) {
            return null;
        }
        Scope bound = row.bound();
        for (RouteState.Entry entry : route.entries) {
            if (entry.platformModel().scope.equals(bound)) {
                return bound;
            }
        }
        return route.entries.getFirst().platformModel().scope;
    }

    /** Looks at a queue again whatever it watches: what its route offers has changed. */
    void reexamine(Binding binding) {
        fresh.remove(binding);
        noteFronts(binding);
        binding.beforeHeadChange();
        binding.forgetWatched();
        binding.afterHeadChange();
        fresh.add(binding);
    }

    /** Arms the agenda for whatever time alone may do to the task next. */
    void arm(Node node) {
        Grant grant = node.row.grant();
        agenda.arm(node, grant != null ? grant.expiresAt() : waitsUntil(node));
    }

    private long waitsUntil(Node node) {
        return Math.min(node.row.deadline(), Math.min(waiterUntil(node.row), nextSpill(node)));
    }

    /** When the claim of a synchronous waiter lapses; {@link Long#MAX_VALUE} for an asynchronous task. */
    long waiterUntil(Row row) {
        return switch (row.ask().mode()) {
            case Mode.Async any -> Long.MAX_VALUE;
            case Mode.Sync sync ->
                row.detached() ? row.waiterUntil() : Math.max(row.waiterUntil(), holders.until(sync.holder()));
        };
    }

    private static long nextSpill(Node node) {
        Binding binding = node.binding;
        if (binding == null || binding.route == null) {
            return Long.MAX_VALUE;
        }
        long[] spills = binding.route.spills;
        int next = binding.key.stage() + 1;
        return next < spills.length ? node.row.enqueuedAt() + spills[next] : Long.MAX_VALUE;
    }

    /**
     * Forgets scopes that nothing names any longer: an embedder's keys come and go. It runs when their number has
     * doubled, so its cost a task is constant.
     */
    void sweepIfGrown() {
        if (scopes.size() < sweepAt) {
            return;
        }
        bindings.values().removeIf(binding -> binding.queue.isEmpty());
        scopes.values()
                .removeIf(scope -> scope.isIdle()
                        && !scope.pinned
                        && !policies.scopes().containsKey(scope.scope)
                        && !dirty.contains(scope));
        sweepAt = Math.max(SWEEP_MIN, 2 * scopes.size());
    }
}
