package dev.sluice.admission;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One provider: its slots as scopes, and whether it may get work. */
final class ProviderSlots {
    final String id;
    final ScopeState slots;
    final ScopeState longSlots;
    final ScopeState syncSlots;
    final ScopeState asyncSlots;

    /** Null once it left the configuration; what runs on it still counts. */
    @Nullable
    ProviderPolicy policy;

    boolean up = true;
    ProviderState state = ProviderState.ENABLED;

    /** Some of its tasks count in a scope beside the slots. */
    boolean isDivided;

    ProviderSlots(String id, Book book) {
        this.id = id;
        this.slots = book.pinned(Scope.provider(id));
        this.longSlots = book.pinned(Scope.providerLong(id));
        this.syncSlots = book.pinned(Scope.providerSync(id));
        this.asyncSlots = book.pinned(Scope.providerAsync(id));
        refresh();
    }

    /** Could it get work if it were up? */
    boolean isEnabled() {
        return policy != null && policy.enabled() && state == ProviderState.ENABLED;
    }

    boolean isLive() {
        return slots.open;
    }

    int priority() {
        return policy == null ? Integer.MAX_VALUE : policy.priority();
    }

    /** What bounds the tasks of a share beside the slots; unlimited where nothing is reserved. */
    ScopeState of(Share share) {
        return switch (share) {
            case WHOLE -> slots;
            case SYNC -> syncSlots;
            case ASYNC -> asyncSlots;
        };
    }

    /** The scopes beside the slots in which a task of these needs counts here. */
    List<ScopeState> within(boolean isLong, Share share) {
        if (!isDivided) {
            return List.of();
        }
        List<ScopeState> within = new ArrayList<>(2);
        if (isLong && longSlots.isLimited()) {
            within.add(longSlots);
        }
        if (share != Share.WHOLE && of(share).isLimited()) {
            within.add(of(share));
        }
        return within;
    }

    /** Recomputes what follows from policy, connection and operator. */
    void refresh() {
        slots.open = isEnabled() && up;
        slots.limit = policy == null ? 0 : policy.capacity() * Amount.ONE;
        longSlots.limit =
                policy == null || policy.longCapacity() == 0 ? Long.MAX_VALUE : policy.longCapacity() * Amount.ONE;
        syncSlots.limit = without(policy == null ? 0 : policy.reserve().async());
        asyncSlots.limit = without(policy == null ? 0 : policy.reserve().sync());
        isDivided = longSlots.isLimited() || syncSlots.isLimited() || asyncSlots.isLimited();
    }

    private long without(int reserved) {
        return reserved == 0 ? Long.MAX_VALUE : slots.limit - reserved * Amount.ONE;
    }
}
