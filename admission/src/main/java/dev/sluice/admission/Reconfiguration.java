package dev.sluice.admission;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Swaps all policies in one step, and reacts to providers that come and go. */
final class Reconfiguration {
    private final Book book;
    private final Deadlines deadlines;
    private final QueueRules rules;
    private final Recorder recorder;

    Reconfiguration(Book book, Deadlines deadlines, QueueRules rules, Recorder recorder) {
        this.book = book;
        this.deadlines = deadlines;
        this.rules = rules;
        this.recorder = recorder;
    }

    /** Waiting tasks leave their queues, the policies change, and they return to their old places or are evicted. */
    void apply(Policies policies, long now) {
        List<Node> waiting = book.nodes.all().stream()
                .filter(node -> node.row.waits())
                .sorted(Node.ORDER)
                .toList();
        waiting.forEach(book::leave);
        book.bindings.clear();
        book.policies = policies;
        book.scopes.values().forEach(book::applyPolicy);
        policies.scopes().keySet().forEach(book::scope);
        applyProviders(policies);
        applyRoutes(policies);
        waiting.forEach(node -> settle(node, now));
        book.scopes.values().forEach(book::touch);
    }

    private void applyProviders(Policies policies) {
        policies.providers().keySet().forEach(book::provider);
        for (ProviderSlots provider : book.providers.values()) {
            provider.policy = policies.providers().get(provider.id);
            provider.refresh();
        }
        book.reserves = policies.providers().values().stream()
                .anyMatch(provider -> !provider.reserve().equals(Reserve.NONE));
        recount();
        book.providers
                .values()
                .removeIf(provider -> provider.policy == null
                        && provider.slots.active == 0
                        && provider.state == ProviderState.ENABLED
                        && provider.up);
    }

    /** A provider may limit now what it did not limit when the tasks that run on it were admitted. */
    private void recount() {
        for (Node node : book.nodes.all()) {
            Grant grant = node.row.grant();
            Footprint held = node.footprint;
            if (grant != null && held != null) {
                held.count(-1);
                Footprint now = Footprint.of(node.row, grant, book);
                now.count(1);
                node.footprint = now;
            }
        }
    }

    private void applyRoutes(Policies policies) {
        book.routes.keySet().retainAll(policies.routes().keySet());
        for (RoutePolicy policy : policies.routes().values()) {
            RouteState route = book.routes.computeIfAbsent(policy.id(), id -> new RouteState(id, policy));
            route.resolve(policy, policy.entries().stream().map(this::resolve).toList());
        }
    }

    private RouteState.Entry resolve(RoutePolicy.Entry entry) {
        List<ProviderSlots> candidates = entry.providers().stream()
                .distinct()
                .map(this::candidate)
                .sorted(Comparator.comparing(provider -> provider.id))
                .toList();
        return new RouteState.Entry(
                book.pinned(entry.platformModel()),
                candidates,
                entry.spillAfter().toNanos());
    }

    private ProviderSlots candidate(String id) {
        ProviderSlots provider = book.provider(id);
        provider.refresh();
        return provider;
    }

    private void settle(Node node, long now) {
        Row row = node.row;
        Refusal impossible = rules.impossible(row.ask(), book.scopesOf(row.ask()));
        if (impossible != null) {
            recorder.evict(node, evictionFor(impossible), now);
            return;
        }
        long deadline = Math.min(row.deadlineCap(), deadlines.of(row.ask(), row.enqueuedAt()));
        Row settled = row.due(deadline, row.deadlineCap()).queued(book.boundOf(row), row.dispatchOnly());
        if (!settled.equals(row)) {
            // A detached task or one whose queue it counts in changes is re-indexed by the change itself.
            recorder.change(node, settled, Change.Cause.RE_ARMED, now);
        }
        if (node.binding == null && !settled.detached()) {
            book.join(node, now);
        }
        book.agenda.disarm(node);
        book.arm(node);
    }

    static Eviction evictionFor(Refusal refusal) {
        return switch (refusal.reason()) {
            case UNKNOWN_ROUTE -> Eviction.ROUTE_REMOVED;
            case AMOUNT_UNSATISFIABLE -> Eviction.AMOUNT_UNSATISFIABLE;
            case NO_CAPACITY, QUEUE_FULL, CONCURRENCY_LIMIT_EXCEEDED, IN_PROGRESS, FINISHED, SHUTTING_DOWN ->
                Eviction.NO_CAPACITY;
        };
    }

    /** Evicts those whom no provider is left for; the others are looked at again. */
    void providerChanged(ProviderSlots provider, long now) {
        lookAgain(provider);
        for (Node node : book.nodes.all()) {
            if (node.row.waits() && isImpossible(node.row)) {
                recorder.evict(node, Eviction.NO_CAPACITY, now);
            }
        }
    }

    /** Has the next promotion look at all tasks that could use the provider. */
    void lookAgain(ProviderSlots provider) {
        provider.refresh();
        book.touch(provider.slots);
        book.touch(provider.longSlots);
        book.touch(provider.syncSlots);
        book.touch(provider.asyncSlots);
        List<Binding> affected = new ArrayList<>();
        for (Binding binding : book.bindings.all()) {
            RouteState route = binding.route;
            if (!binding.isEmpty()
                    && route != null
                    && route.entries.stream()
                            .anyMatch(entry -> entry.candidates().contains(provider))) {
                affected.add(binding);
            }
        }
        affected.forEach(book::reexamine);
    }

    private boolean isImpossible(Row row) {
        return row.ask()
                .routing()
                .map(routing -> {
                    RouteState route = book.routes.get(routing.route());
                    return route != null && !route.isPossible(routing.avoided());
                })
                .orElse(false);
    }
}
