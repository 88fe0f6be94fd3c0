package dev.sluice.admission;

import java.time.Duration;
import java.util.Map;

/** Writes refusals with the numbers that explain them. */
final class Refusals {
    private final Forecast forecast;

    Refusals(Forecast forecast) {
        this.forecast = forecast;
    }

    Refusal queueFull(Ask ask, ScopeState scope, long amount) {
        return new Refusal(
                Refusal.Reason.QUEUE_FULL,
                scope.scope,
                scope.policy.name(),
                scope.policy.metadata(),
                "queue_size",
                scope.policy.queueLimit(),
                1,
                scope.waiting(),
                scope.waiting() + 1L,
                scope.waiting(),
                scope.policy.queueLimit(),
                forecast.resetAfter(scope),
                forecast.retryAfter(ask.task(), scope, amount),
                true,
                scope.isLimited() ? scope.limit : 0,
                scope.active);
    }

    Refusal noRoom(Ask ask, ScopeState scope, long amount) {
        return concurrent(Refusal.Reason.CONCURRENCY_LIMIT_EXCEEDED, ask, scope, amount, true);
    }

    Refusal unsatisfiable(Ask ask, ScopeState scope, long amount) {
        return concurrent(Refusal.Reason.AMOUNT_UNSATISFIABLE, ask, scope, amount, false);
    }

    private Refusal concurrent(Refusal.Reason reason, Ask ask, ScopeState scope, long amount, boolean retryable) {
        return new Refusal(
                reason,
                scope.scope,
                scope.policy.name(),
                scope.policy.metadata(),
                "concurrent",
                scope.isLimited() ? scope.limit : 0,
                amount,
                scope.active,
                scope.active + amount,
                scope.waiting(),
                scope.policy.queueLimit(),
                forecast.resetAfter(scope),
                retryable ? forecast.retryAfter(ask.task(), scope, amount) : Duration.ZERO,
                retryable,
                scope.isLimited() ? scope.limit : 0,
                scope.active);
    }

    Refusal dispatchFull(Ask ask, RouteState route, int waiting, int most) {
        return new Refusal(
                Refusal.Reason.QUEUE_FULL,
                new Scope("route", route.id),
                "",
                Map.of(),
                "queue_size",
                most,
                1,
                waiting,
                waiting + 1L,
                waiting,
                most,
                Duration.ZERO,
                forecast.retryAfter(ask.task(), route),
                true,
                0,
                0);
    }

    Refusal ofRoute(Ask ask, Routing routing, Refusal.Reason reason) {
        return plain(reason, new Scope("route", routing.route()), routing.amount(), ask);
    }

    Refusal ofTask(Ask ask, Refusal.Reason reason) {
        return plain(reason, new Scope("task", ask.task().toString()), Amount.ONE, ask);
    }

    static Refusal shuttingDown(Ask ask) {
        return plain(Refusal.Reason.SHUTTING_DOWN, new Scope("task", ask.task().toString()), Amount.ONE, ask);
    }

    private static Refusal plain(Refusal.Reason reason, Scope scope, long amount, Ask ask) {
        boolean retryable = switch (reason) {
            case NO_CAPACITY, IN_PROGRESS, SHUTTING_DOWN, QUEUE_FULL, CONCURRENCY_LIMIT_EXCEEDED -> true;
            case UNKNOWN_ROUTE, FINISHED, AMOUNT_UNSATISFIABLE -> false;
        };
        return new Refusal(
                reason,
                scope,
                ask.label(),
                Map.of(),
                "concurrent",
                0,
                amount,
                0,
                amount,
                0,
                0,
                Duration.ZERO,
                retryable ? Duration.ofSeconds(1) : Duration.ZERO,
                retryable,
                0,
                0);
    }
}
