package dev.sluice.admission;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where the rotation of each route stands. */
final class Rotation {
    private final Map<String, RouteState> routes;

    Rotation(Map<String, RouteState> routes) {
        this.routes = routes;
    }

    /** Moves the rotation on with an admission that this ledger decides. */
    static void turn(Footprint granted) {
        if (granted.route() != null && granted.placement() != null) {
            turn(granted.route(), granted.placement());
        }
    }

    private static void turn(RouteState route, Placement placement) {
        if (!route.lastChosen.equals(placement.provider())) {
            route.lastChosen = placement.provider();
        }
    }

    /** Moves the rotation of a route on with an admission, and back with one that nobody took up. */
    void follow(@Nullable Row before, @Nullable Row after, Change.Cause cause) {
        boolean admitted = cause == Change.Cause.ADMITTED || cause == Change.Cause.MOVED;
        if (admitted && after != null && after.grant() != null) {
            turn(after, after.grant(), true);
        } else if (cause == Change.Cause.RETURNED && before != null && before.grant() != null) {
            turn(before, before.grant(), false);
        }
    }

    /** Takes the effect of {@link #follow} back. */
    void unfollow(Change change) {
        Row after = change.after();
        boolean admitted = change.cause() == Change.Cause.ADMITTED || change.cause() == Change.Cause.MOVED;
        if (admitted && after != null && after.grant() != null) {
            turn(after, after.grant(), false);
        }
    }

    private void turn(Row row, Grant grant, boolean on) {
        RouteState route =
                row.ask().routing().map(routing -> routes.get(routing.route())).orElse(null);
        Placement placement = grant.placement();
        if (route == null || placement == null) {
            return;
        }
        if (on) {
            turn(route, placement);
        } else if (route.lastChosen.equals(placement.provider())) {
            route.lastChosen = grant.rotatedFrom();
        }
    }
}
