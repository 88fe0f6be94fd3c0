package dev.sluice.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads the book for people: counts, lists and explanations. Reading changes nothing. */
final class Views {
    private final Book book;
    private final Forecast forecast;
    private final Holdings holdings;

    Views(Book book, Forecast forecast) {
        this.book = book;
        this.forecast = forecast;
        this.holdings = new Holdings(book);
    }

    Snapshot snapshot(long now) {
        Corpses corpses = new Corpses();
        long oldest = now;
        for (Node node : book.nodes.all()) {
            if (node.row.waits() && !corpses.add(node, book, now)) {
                oldest = Math.min(oldest, node.row.enqueuedAt());
            }
        }
        List<Snapshot.ScopeView> scopes = book.scopes.values().stream()
                .filter(this::isShown)
                .sorted(Comparator.comparing(state -> state.scope))
                .map(state -> view(state, corpses))
                .toList();
        List<Snapshot.ProviderView> providers = book.providers.values().stream()
                .filter(provider -> provider.policy != null || provider.slots.active > 0)
                .sorted(Comparator.comparing(provider -> provider.id))
                .map(Views::view)
                .toList();
        return new Snapshot(
                book.waitingSync - corpses.sync(),
                book.waitingAsync - corpses.async(),
                Duration.ofNanos(now - oldest),
                corpses.lostWaiters(),
                corpses.passedDeadlines(),
                scopes,
                providers);
    }

    private boolean isShown(ScopeState state) {
        return state.active > 0
                || state.waiting() > 0
                || (state.scope.isOfProvider()
                        ? state.isLimited() && state.limit > 0
                        : state.pinned || book.policies.scopes().containsKey(state.scope));
    }

    private static Snapshot.ScopeView view(ScopeState state, Corpses corpses) {
        return new Snapshot.ScopeView(
                state.scope,
                state.isLimited() ? state.limit : 0,
                state.active,
                state.waitingSync - corpses.sync(state.scope),
                state.waitingAsync - corpses.async(state.scope),
                state.policy.queueLimit());
    }

    private static Snapshot.ProviderView view(ProviderSlots provider) {
        ProviderPolicy policy = provider.policy;
        int[] waiting = new int[1];
        provider.slots.forEachQueue(place -> waiting[0] += place.binding.size());
        return new Snapshot.ProviderView(
                provider.id,
                policy == null ? 0 : policy.capacity(),
                policy == null ? 0 : policy.longCapacity(),
                policy == null ? Reserve.NONE : policy.reserve(),
                (int) (provider.slots.active / Amount.ONE),
                (int) (provider.longSlots.active / Amount.ONE),
                policy != null && policy.enabled(),
                provider.up,
                provider.state,
                waiting[0]);
    }

    List<TaskView> list(TaskFilter filter, long now) {
        return book.nodes.all().stream()
                .filter(node -> matches(node, filter))
                .sorted(Node.ORDER)
                .limit(filter.limit())
                .map(node -> view(node, now))
                .toList();
    }

    private static boolean matches(Node node, TaskFilter filter) {
        Row row = node.row;
        return filter.waiting().map(wanted -> wanted == row.waits()).orElse(true)
                && filter.sync().map(wanted -> wanted == row.ask().isSync()).orElse(true)
                && filter.scope().map(scope -> carries(row, scope)).orElse(true)
                && filter.route()
                        .map(wanted -> row.ask()
                                .routing()
                                .map(routing -> routing.route().equals(wanted))
                                .orElse(false))
                        .orElse(true);
    }

    private static boolean carries(Row row, Scope scope) {
        Grant grant = row.grant();
        return scope.equals(row.bound())
                || row.ask().demands().stream()
                        .anyMatch(demand -> demand.scope().equals(scope))
                || (grant != null && holds(grant, scope));
    }

    private static boolean holds(Grant grant, Scope scope) {
        return grant.leases().stream().anyMatch(lease -> lease.scope().equals(scope));
    }

    private static TaskView view(Node node, long now) {
        Row row = node.row;
        Grant grant = row.grant();
        return new TaskView(
                row.task(),
                row.waits(),
                row.ask().isSync(),
                row.ask().priority(),
                row.sequence(),
                grant == null ? 0 : grant.epoch(),
                row.ask().demands(),
                row.ask().routing(),
                Optional.ofNullable(grant).map(Grant::placement),
                grant == null ? List.of() : grant.leases(),
                Duration.ofNanos(Math.max(0, now - row.enqueuedAt())),
                grant != null || row.deadline() == Long.MAX_VALUE
                        ? Optional.empty()
                        : Optional.of(Duration.ofNanos(Math.max(0, row.deadline() - now))),
                reason(node),
                row.overtakes(),
                row.ask().label());
    }

    private static Optional<WaitReason> reason(Node node) {
        if (!node.row.waits()) {
            return Optional.empty();
        }
        Binding binding = node.binding;
        return Optional.of(binding == null ? WaitReason.of(WaitReason.Kind.DETACHED) : binding.reason);
    }

    Optional<Explanation> explain(UUID task, long now) {
        Node node = book.node(task);
        if (node == null) {
            return Optional.empty();
        }
        Binding binding = node.binding;
        List<Explanation.Blocker> blockers = binding == null ? List.of() : blockers(node, binding, now);
        Place place = place(node, now);
        return Optional.of(new Explanation(view(node, now), blockers, place.ahead(), place.eta()));
    }

    Optional<Place> place(UUID task, long now) {
        return Optional.ofNullable(book.node(task)).map(node -> place(node, now));
    }

    private Place place(Node node, long now) {
        Binding binding = node.binding;
        if (binding == null) {
            return new Place(node.row.waits(), 0, Optional.empty());
        }
        Forecast.Wait expected = forecast.expect(node, binding, now);
        Optional<Duration> eta = expected.nanos().isPresent()
                ? Optional.of(Duration.ofNanos(expected.nanos().getAsLong()))
                : Optional.empty();
        return new Place(node.row.waits(), expected.ahead(), eta);
    }

    private List<Explanation.Blocker> blockers(Node node, Binding binding, long now) {
        List<Explanation.Blocker> blockers = new ArrayList<>();
        for (int i = 0; i < binding.scopes.length; i++) {
            if (!binding.scopes[i].hasRoom(binding.amounts[i], node)) {
                blockers.add(blocker(binding.scopes[i], now));
            }
        }
        for (RouteState.Entry entry : binding.entries()) {
            if (!entry.platformModel().hasRoom(binding.routedAmount, node)) {
                blockers.add(blocker(entry.platformModel(), now));
            }
            for (ProviderSlots candidate : entry.candidates()) {
                if (!candidate.slots.fits(Amount.ONE)) {
                    blockers.add(blocker(candidate.slots, now));
                } else {
                    for (ScopeState within : candidate.within(binding.isLong, binding.key.share())) {
                        if (!within.fits(Amount.ONE)) {
                            blockers.add(blocker(within, now));
                        }
                    }
                }
            }
        }
        return blockers;
    }

    private Explanation.Blocker blocker(ScopeState state, long now) {
        return new Explanation.Blocker(
                state.scope, state.isLimited() ? state.limit : 0, state.active, holdings.of(state.scope, now));
    }
}
