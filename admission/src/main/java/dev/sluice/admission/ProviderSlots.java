package dev.sluice.admission;

import org.jspecify.annotations.Nullable;

/** One provider: its slots as two scopes, and whether it may get work. */
final class ProviderSlots {
    final String id;
    final ScopeState slots;
    final ScopeState longSlots;

    /** Null once it left the configuration; what runs on it still counts. */
    @Nullable
    ProviderPolicy policy;

    boolean up = true;
    ProviderState state = ProviderState.ENABLED;

    ProviderSlots(String id, ScopeState slots, ScopeState longSlots) {
        this.id = id;
        this.slots = slots;
        this.longSlots = longSlots;
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

    /** Recomputes what follows from policy, connection and operator. */
    void refresh() {
        slots.open = isEnabled() && up;
        slots.limit = policy == null ? 0 : policy.capacity() * Amount.ONE;
        longSlots.limit =
                policy == null || policy.longCapacity() == 0 ? Long.MAX_VALUE : policy.longCapacity() * Amount.ONE;
    }
}
