package dev.sluice.admission;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether a task that cannot run now may wait. */
final class QueueRules {
    private final Book book;
    private final Deadlines deadlines;
    private final Refusals refusals;

    QueueRules(Book book, Deadlines deadlines, Refusals refusals) {
        this.book = book;
        this.deadlines = deadlines;
        this.refusals = refusals;
    }

    /** The answer to a task that must wait. */
    sealed interface Verdict permits Verdict.MayWait, Verdict.Refused {
        /**
         * @param bound the platform model whose queue it counts in; null without a route
         */
        record MayWait(@Nullable Scope bound, boolean dispatchOnly) implements Verdict {}

        record Refused(Refusal refusal) implements Verdict {}
    }

    /** What no waiting could cure: an unknown route, no possible provider, an amount above a limit. */
    Optional<Refusal> impossible(Ask ask) {
        for (Demand demand : ask.demands()) {
            ScopeState scope = book.scope(demand.scope());
            if (scope.isLimited() && demand.amount() > scope.limit) {
                return Optional.of(refusals.unsatisfiable(ask, scope, demand.amount()));
            }
        }
        if (ask.routing().isEmpty()) {
            return Optional.empty();
        }
        Routing routing = ask.routing().get();
        RouteState route = book.routes.get(routing.route());
        if (route == null) {
            return Optional.of(refusals.ofRoute(ask, routing, Refusal.Reason.UNKNOWN_ROUTE));
        }
        if (!route.isPossible(routing.avoided())) {
            return Optional.of(refusals.ofRoute(ask, routing, Refusal.Reason.NO_CAPACITY));
        }
        ScopeState first = route.entries.getFirst().platformModel();
        boolean anyFits = route.entries.stream()
                .map(RouteState.Entry::platformModel)
                .anyMatch(scope -> !scope.isLimited() || routing.amount() <= scope.limit);
        return anyFits ? Optional.empty() : Optional.of(refusals.unsatisfiable(ask, first, routing.amount()));
    }

    /**
     * @param node not in any queue now, but with the order it would have
     * @param reason why it cannot run now
     * @param blocker the first scope it would watch
     */
    Verdict mayWait(Node node, WaitReason reason, ScopeState blocker) {
        Ask ask = node.row.ask();
        if (ask.maxWait() instanceof MaxWait.DoNotQueue) {
            return refuse(refusals.noRoom(ask, blocker, amountAt(ask, blocker)));
        }
        for (Demand demand : ask.demands()) {
            Refusal refusal = test(node, book.scope(demand.scope()), demand.amount());
            if (refusal != null) {
                return refuse(refusal);
            }
        }
        if (ask.routing().isEmpty()) {
            return new Verdict.MayWait(null, false);
        }
        return mayWaitOnRoute(node, ask.routing().get(), reason);
    }

    /** It counts as waiting in the first entry whose queue accepts it. */
    private Verdict mayWaitOnRoute(Node node, Routing routing, WaitReason reason) {
        RouteState route = book.routes.get(routing.route());
        if (route == null) {
            return refuse(refusals.ofRoute(node.row.ask(), routing, Refusal.Reason.UNKNOWN_ROUTE));
        }
        Refusal first = null;
        for (RouteState.Entry entry : route.entries(routing.avoided())) {
            ScopeState scope = entry.platformModel();
            boolean tooLarge = scope.isLimited() && routing.amount() > scope.limit;
            if (tooLarge || !entry.isPossible()) {
                continue;
            }
            Refusal refusal = test(node, scope, routing.amount());
            if (refusal == null) {
                return mayDispatch(node, route, scope, reason);
            }
            first = first == null ? refusal : first;
        }
        return refuse(first == null ? refusals.ofRoute(node.row.ask(), routing, Refusal.Reason.NO_CAPACITY) : first);
    }

    private Verdict mayDispatch(Node node, RouteState route, ScopeState bound, WaitReason reason) {
        boolean dispatchOnly = node.row.ask().isSync()
                && switch (reason.kind()) {
                    case CAPACITY_FULL, LONG_CONTEXT_CAPACITY_FULL, NO_LIVE_PROVIDER -> true;
                    case SCOPE, BEHIND_OTHERS, DETACHED -> false;
                };
        if (dispatchOnly) {
            int waiting = route.policy.dispatch().isPresent() ? route.dispatchWaiting : sharedDispatchWaiting();
            int most = deadlines.dispatch(route).maxQueue();
            if (waiting >= most) {
                return refuse(refusals.dispatchFull(node.row.ask(), route, waiting, most));
            }
        }
        return new Verdict.MayWait(bound.scope, dispatchOnly);
    }

    /** Those who wait for a provider on any route without a dispatch queue of its own. */
    private int sharedDispatchWaiting() {
        int waiting = 0;
        for (RouteState route : book.routes.values()) {
            waiting += route.policy.dispatch().isPresent() ? 0 : route.dispatchWaiting;
        }
        return waiting;
    }

    private @Nullable Refusal test(Node node, ScopeState scope, long amount) {
        return node.row.ask().isSync() ? testSync(node, scope, amount) : testAsync(node, scope, amount);
    }

    private @Nullable Refusal testSync(Node node, ScopeState scope, long amount) {
        if (scope.policy.hasQueue()) {
            return scope.waiting() >= scope.policy.queueLimit()
                    ? refusals.queueFull(node.row.ask(), scope, amount)
                    : null;
        }
        boolean waitsForIt = !scope.hasRoom(amount, node) || scope.lacksRoomForOneBefore(node);
        return scope.isLimited() && waitsForIt ? refusals.noRoom(node.row.ask(), scope, amount) : null;
    }

    /**
     * Asynchronous tasks register before they hold anything, so all that wait count as if they ran: a burst cannot
     * pass the limit and the queue before the first of them starts.
     */
    private @Nullable Refusal testAsync(Node node, ScopeState scope, long amount) {
        if (!scope.isLimited() || (scope.scope.type().equals(Scope.WORKER_CAPACITY) && !scope.policy.hasQueue())) {
            return null;
        }
        long over = scope.active + scope.waitingAmount + amount - scope.limit;
        if (over <= 0) {
            return null;
        }
        if (!scope.policy.hasQueue()) {
            return refusals.noRoom(node.row.ask(), scope, amount);
        }
        long depth = Math.ceilDiv(over, Amount.ONE);
        return depth > scope.policy.queueLimit() ? refusals.queueFull(node.row.ask(), scope, amount) : null;
    }

    private static long amountAt(Ask ask, ScopeState scope) {
        for (Demand demand : ask.demands()) {
            if (demand.scope().equals(scope.scope)) {
                return demand.amount();
            }
        }
        return scope.scope.type().equals(Scope.PLATFORM_MODEL)
                ? ask.routing().map(Routing::amount).orElse(Amount.ONE)
                : Amount.ONE;
    }

    private static Verdict refuse(Refusal refusal) {
        return new Verdict.Refused(refusal);
    }
}
