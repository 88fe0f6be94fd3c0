package dev.sluice.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a task of one queue holds when it runs in one place. All tasks of the queue that run there share it, so a grant
 * neither builds leases nor looks scopes up.
 *
 * @param scopes in which it counts, first those of the leases, in their order; {@code amounts} too
 * @param route where the rotation moves; null without one
 * @param platformModel that of the placement
 * @param ttl nanoseconds, and {@code leaseTtl} the same for those who hold it
 */
record Footprint(
        List<Lease> leases,
        ScopeState[] scopes,
        long[] amounts,
        @Nullable RouteState route,
        @Nullable Placement placement,
        @Nullable Scope platformModel,
        long ttl,
        Duration leaseTtl) {
    /** The provider that the route chose last; empty without one. */
    String rotatedFrom() {
        return route == null ? "" : route.lastChosen;
    }

    /** @param by 1 when a task begins to hold it, -1 when it ends */
    void count(int by) {
        for (int i = 0; i < scopes.length; i++) {
            scopes[i].active += amounts[i] * by;
        }
    }

    /** Of tasks that need scopes only: the smallest TTL counts. */
    static Footprint of(ScopeState[] scopes, long[] amounts) {
        List<Held> held = held(scopes, amounts);
        long ttl = Long.MAX_VALUE;
        for (ScopeState scope : scopes) {
            ttl = Math.min(ttl, scope.policy.leaseTtl().toNanos());
        }
        return of(held, null, null, ttl);
    }

    /** Of tasks that run on {@code provider}: the TTL of its platform model counts. */
    static Footprint on(Binding binding, RouteState.Entry entry, ProviderSlots provider) {
        ScopeState platformModel = entry.platformModel();
        List<ScopeState> within = provider.within(binding.isLong, binding.key.share());
        List<Held> held = held(binding.scopes, binding.amounts);
        held.add(new Held(platformModel, binding.routedAmount));
        held.add(new Held(provider.slots, Amount.ONE));
        within.forEach(scope -> held.add(new Held(scope, Amount.ONE)));
        held.sort(Comparator.comparing(each -> each.scope().scope));
        return of(
                held,
                binding.route,
                new Placement(provider.id, platformModel.scope, within.contains(provider.longSlots)),
                platformModel.policy.leaseTtl().toNanos());
    }

    /**
     * Of a row that was granted elsewhere or before; it moves no rotation. It counts in every scope that limits its like
     * on its provider now, also in those that limited nobody when it was granted and of which it has no lease.
     */
    static Footprint of(Row row, Grant grant, Book book) {
        List<Held> held = new ArrayList<>(grant.leases().size() + 2);
        for (Lease lease : grant.leases()) {
            held.add(new Held(book.scope(lease.scope()), lease.amount()));
        }
        Placement placement = grant.placement();
        ProviderSlots provider = placement == null ? null : book.providers.get(placement.provider());
        if (provider != null && provider.isDivided) {
            boolean isLong = row.ask().routing().map(Routing::longContext).orElse(false);
            for (ScopeState scope : provider.within(isLong, Share.of(row.ask()))) {
                if (held.stream().noneMatch(each -> each.scope == scope)) {
                    held.add(new Held(scope, Amount.ONE));
                }
            }
        }
        return new Footprint(
                grant.leases(),
                held.stream().map(Held::scope).toArray(ScopeState[]::new),
                Amount.shared(held.stream().mapToLong(Held::amount).toArray()),
                null,
                placement,
                platformModel(placement),
                grant.ttl(),
                Duration.ofNanos(grant.ttl()));
    }

    private static @Nullable Scope platformModel(@Nullable Placement placement) {
        return placement == null ? null : placement.platformModel();
    }

    private record Held(ScopeState scope, long amount) {}

    private static List<Held> held(ScopeState[] scopes, long[] amounts) {
        List<Held> held = new ArrayList<>(scopes.length + 3);
        for (int i = 0; i < scopes.length; i++) {
            held.add(new Held(scopes[i], amounts[i]));
        }
        return held;
    }

    private static Footprint of(List<Held> held, @Nullable RouteState route, @Nullable Placement placement, long ttl) {
        return new Footprint(
                held.stream()
                        .map(each -> new Lease(each.scope().scope, each.amount()))
                        .toList(),
                held.stream().map(Held::scope).toArray(ScopeState[]::new),
                Amount.shared(held.stream().mapToLong(Held::amount).toArray()),
                route,
                placement,
                platformModel(placement),
                ttl,
                Duration.ofNanos(ttl));
    }
}
