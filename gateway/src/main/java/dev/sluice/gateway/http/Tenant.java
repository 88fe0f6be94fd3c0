package dev.sluice.gateway.http;

import dev.sluice.admission.Scope;
import dev.sluice.gateway.config.Group;
import dev.sluice.gateway.config.Workers;
import java.util.OptionalInt;

/** A group as the data plane sees it. */
record Tenant(Group group, Scope scope) {
    static Tenant of(Group group) {
        return new Tenant(group, Scope.userGroup(group.id()));
    }

    /** A wish better than the group's best is clamped to it. */
    int priority(OptionalInt wish) {
        return wish.isPresent() ? Math.max(wish.getAsInt(), group.bestPriority()) : group.priority();
    }

    /** What no client waits for asks for less, unless it says what it wants. */
    int priority(OptionalInt wish, boolean waits, Workers workers) {
        return waits ? priority(wish) : background(wish, workers.priorityOffset());
    }

    /** @param offset what is added to the group's priority where no wish is said */
    int background(OptionalInt wish, int offset) {
        return wish.isPresent() ? priority(wish) : group.priority() + offset;
    }

    boolean mayUse(Route route) {
        return group.mayUse(route.model().id());
    }
}
