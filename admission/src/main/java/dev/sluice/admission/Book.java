package dev.sluice.admission;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The ledger's state and its indexes. Every row changes through {@link #replace}, which keeps all indexes true and
 * notes which scopes gained room and which queues got a new head; {@link Promotion} acts on these notes.
 */
final class Book {
    private static final int SWEEP_MIN = 1_024;

    final Nodes nodes = new Nodes();
    final Map<Scope, ScopeState> scopes = new HashMap<>();
    final Map<String, ProviderSlots> providers = new HashMap<>();
    final Map<String, RouteState> routes = new HashMap<>();
    final Bindings bindings = new Bindings();
    final Rotation rotation = new Rotation(routes);
    final Agenda agenda = new Agenda();
    final Holders holders = new Holders();

    /** Scopes that may have gained room or a new front, and that somebody watches; see {@link #touch}. */
    final List<ScopeState> dirty = new ArrayList<>();

    /** Queues whose head must be looked at. */
    final Heads fresh = new Heads();

    Policies policies = Policies.NONE;
    int waitingSync;
    int waitingAsync;

    /** A provider reserves slots, so tasks of both kinds never share a queue. */
    boolean reserves;

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
        return providers.computeIfAbsent(id, any -> new ProviderSlots(id, this));
    }

    /** The queue for what {@code ask} needs after it has waited so long. */
    Binding binding(Ask ask, long waitedNanos) {
        return bindings.get(ask, waitedNanos, this);
    }

    /** The scopes of its demands, in their order. */
    ScopeState[] scopesOf(Ask ask) {
        ScopeState[] scopes = new ScopeState[ask.demands().size()];
        for (int i = 0; i < scopes.length; i++) {
            scopes[i] = scope(ask.demands().get(i).scope());
        }
        return scopes;
    }

    /** Puts {@code after} in the place of {@code before}; either may be null, for a task that comes or goes. */
    void replace(@Nullable Row before, @Nullable Row after, long now) {
        if (before == null) {
            if (after == null) {
                throw new IllegalArgumentException("nothing to replace");
            }
            add(new Node(after), after, null, now);
        } else {
            Node node = nodes.get(before.task());
            if (node == null) {
                throw new IllegalStateException("unknown task " + before.task());
            }
            change(node, after, null, now);
        }
    }

    /**
     * Takes in a task that nobody knew.
     *
     * @param granted what the row holds, as far as its scopes are resolved already
     */
    void add(Node node, Row row, @Nullable Footprint granted, long now) {
        enter(node, row);
        addToIndexes(node, granted, now);
    }

    /** Takes in a task that nobody knew and that waits in {@code binding}. */
    void queue(Node node, Row row, Binding binding) {
        enter(node, row);
        wait(node, binding);
        arm(node);
    }

    private void enter(Node node, Row row) {
        raiseCounters(row);
        nodes.add(node);
        node.show(row);
    }

    /**
     * @param after null to forget the task
     * @param granted what it holds, as far as its scopes are resolved already
     */
    void change(Node node, @Nullable Row after, @Nullable Footprint granted, long now) {
        if (after == null) {
            removeFromIndexes(node);
            agenda.disarm(node);
            nodes.remove(node);
            return;
        }
        raiseCounters(after);
        if (node.row.standsLike(after)) {
            node.show(after);
            settleStarved(node);
            arm(node);
        } else {
            removeFromIndexes(node);
            node.show(after);
            addToIndexes(node, granted, now);
        }
    }

    /** A mirror that applies another's rows must not draw their numbers again. */
    private void raiseCounters(Row row) {
        nextSequence = Math.max(nextSequence, row.sequence() + 1);
        Grant grant = row.grant();
        if (grant != null) {
            nextEpoch = Math.max(nextEpoch, grant.epoch() + 1);
        }
    }

    private void addToIndexes(Node node, @Nullable Footprint granted, long now) {
        Grant grant = node.row.grant();
        if (grant == null) {
            wait(node, binding(node.row.ask(), now - node.row.enqueuedAt()));
        } else {
            Footprint held = granted == null ? Footprint.of(node.row, grant, this) : granted;
            node.footprint = held;
            held.count(1);
        }
        arm(node);
    }

    private void removeFromIndexes(Node node) {
        Footprint held = node.footprint;
        if (node.row.waits()) {
            count(node, -1);
            leave(node);
        } else if (held != null) {
            for (int i = 0; i < held.scopes().length; i++) {
                ScopeState scope = held.scopes()[i];
                scope.active -= held.amounts()[i];
                if (scope.active < 0) {
                    throw new IllegalStateException(scope.scope + " would fall below zero");
                }
                touch(scope);
            }
            node.footprint = null;
        }
        agenda.disarm(node);
    }

    /** Notes that a scope may have gained room. Whoever watches nothing yet will see it when it looks. */
    void touch(ScopeState scope) {
        if (!scope.isDirty && scope.isWatched()) {
            scope.isDirty = true;
            dirty.add(scope);
        }
    }

    private void wait(Node node, Binding binding) {
        Scope bound = node.row.bound();
        node.home = binding;
        node.boundTo = bound == null ? null : scope(bound, binding);
        count(node, 1);
        if (!node.row.detached()) {
            join(node, binding);
        }
    }

    /** The state of a platform model, which most often is one of the queue's own. */
    private ScopeState scope(Scope bound, Binding binding) {
        ScopeState state = binding.platformModel(bound);
        return state == null ? scope(bound) : state;
    }

    /** Puts a waiting task into the queue of what it needs. */
    void join(Node node, long now) {
        join(node, binding(node.row.ask(), now - node.row.enqueuedAt()));
    }

    private void join(Node node, Binding binding) {
        boolean wasEmpty = binding.isEmpty();
        boolean becomesHead = wasEmpty || !binding.isBefore(node);
        if (becomesHead) {
            noteFronts(binding);
        }
        binding.add(node);
        node.binding = binding;
        if (wasEmpty) {
            bindings.use(1);
        }
        if (becomesHead) {
            binding.headChanged();
            fresh.put(binding.fresh);
        }
        settleStarved(node);
    }

    /** Takes a waiting task out of its queue; it may still count as waiting. */
    void leave(Node node) {
        Binding binding = node.binding;
        if (binding == null) {
            return;
        }
        unstarve(node);
        boolean wasHead = binding.head() == node;
        if (wasHead) {
            noteFronts(binding);
        }
        binding.remove(node);
        node.binding = null;
        boolean isEmpty = binding.isEmpty();
        if (isEmpty) {
            bindings.use(-1);
            fresh.remove(binding.fresh);
        }
        if (wasHead) {
            binding.headChanged();
            if (!isEmpty && (binding.fresh.isIn() || !binding.isParked())) {
                fresh.put(binding.fresh);
            }
        }
    }

    /** In strict ordering the next of each line may move up. */
    private void noteFronts(Binding binding) {
        if (policies.queueing().ordering() == Ordering.STRICT) {
            binding.fronts().forEach(stand -> touch(stand.scope));
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
                touch(scope);
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
        Binding home = Objects.requireNonNull(node.home);
        for (int i = 0; i < home.scopes.length; i++) {
            count(home.scopes[i], node.isSync, home.amounts[i] * by, by);
        }
        if (node.boundTo != null) {
            count(node.boundTo, node.isSync, home.routedAmount * by, by);
        }
        if (node.isSync) {
            waitingSync += by;
        } else {
            waitingAsync += by;
        }
        if (node.row.dispatchOnly() && home.route != null) {
            home.route.dispatchWaiting += by;
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
        return route.boundOf(row.bound());
    }

    /** Looks at a queue again whatever it watches: what its route offers has changed. */
    void reexamine(Binding binding) {
        noteFronts(binding);
        binding.unpark();
        binding.headChanged();
        fresh.put(binding.fresh);
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
        bindings.dropIdle();
        scopes.values()
                .removeIf(scope -> scope.isIdle()
                        && !scope.pinned
                        && !policies.scopes().containsKey(scope.scope)
                        && !scope.isDirty);
        sweepAt = Math.max(SWEEP_MIN, 2 * scopes.size());
    }
}
