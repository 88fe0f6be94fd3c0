package dev.sluice.gateway.http;

import dev.sluice.admission.Scope;
import dev.sluice.gateway.config.Group;
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

    boolean mayUse(Route route) {
        return group.mayUse(route.model().id());
    }
}
