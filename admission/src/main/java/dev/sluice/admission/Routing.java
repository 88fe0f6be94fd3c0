package dev.sluice.admission;

import java.util.Set;

/**
 * That a task needs a slot on a provider of a route, beside its other scopes.
 *
 * @param route the id of a {@link RoutePolicy}: the public model name
 * @param amount thousandths taken of the {@code platform_model} scope, 0 for one unit; a provider slot is always one
 * @param longContext whether the task needs a long-context slot where the provider separates them
 * @param avoided ids of providers that are no candidates for this task, because it has just failed there; part of the
 *     binding
 */
public record Routing(String route, long amount, boolean longContext, Set<String> avoided) {
    public Routing {
        if (route.isBlank()) {
            throw new IllegalArgumentException("a routing needs the id of a route");
        }
        if (amount < 0 || amount > Amount.MAX) {
            throw new IllegalArgumentException("amount must be 0 to " + Amount.MAX + " thousandths, not " + amount);
        }
        if (amount == 0) {
            amount = Amount.ONE;
        }
        avoided = Set.copyOf(avoided);
    }

    /** With every provider of the route as a candidate. */
    public Routing(String route, long amount, boolean longContext) {
        this(route, amount, longContext, Set.of());
    }

    /** One unit of a route, not long. */
    public static Routing to(String route) {
        return new Routing(route, Amount.ONE, false);
    }

    /** The same routing without {@code providers} among its candidates. */
    public Routing avoiding(Set<String> providers) {
        return new Routing(route, amount, longContext, providers);
    }
}
