package dev.sluice.admission.histories;

import dev.sluice.admission.Amount;
import dev.sluice.admission.Demand;
import dev.sluice.admission.DispatchPolicy;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.Refusal.Reason;
import dev.sluice.admission.RoutePolicy;
import dev.sluice.admission.Routing;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** Who may wait, in which queue, and how long. */
class NaiveQueues extends NaiveRules {
    /** The answer to a task that cannot run now. */
    record Wait(Optional<Reason> refused, Optional<Scope> bound, boolean dispatchOnly) {
        static Wait refused(Reason reason) {
            return new Wait(Optional.of(reason), Optional.empty(), false);
        }
    }

    /** What no waiting could cure. */
    Optional<Reason> impossible(NaiveTask task) {
        for (Demand demand : task.ask.demands()) {
            if (limit(demand.scope()).filter(limit -> demand.amount() > limit).isPresent()) {
                return Optional.of(Reason.AMOUNT_UNSATISFIABLE);
            }
        }
        if (task.ask.routing().isEmpty()) {
            return Optional.empty();
        }
        Optional<RoutePolicy> route = route(task);
        if (route.isEmpty()) {
            return Optional.of(Reason.UNKNOWN_ROUTE);
        }
        if (!isPossible(task)) {
            return Optional.of(Reason.NO_CAPACITY);
        }
        return route.get().entries().stream().anyMatch(entry -> !isTooLargeFor(entry, task))
                ? Optional.empty()
                : Optional.of(Reason.AMOUNT_UNSATISFIABLE);
    }

    static Eviction evictionFor(Reason reason) {
        return switch (reason) {
            case UNKNOWN_ROUTE -> Eviction.ROUTE_REMOVED;
            case AMOUNT_UNSATISFIABLE -> Eviction.AMOUNT_UNSATISFIABLE;
            default -> Eviction.NO_CAPACITY;
        };
    }

    boolean isPossible(NaiveTask task) {
        return route(task)
                .map(route -> route.entries().stream().anyMatch(entry -> isPossible(entry, task)))
                .orElse(true);
    }

    private boolean isPossible(RoutePolicy.Entry entry, NaiveTask task) {
        return candidates(entry, task).stream().anyMatch(this::isEnabled);
    }

    private boolean isTooLargeFor(RoutePolicy.Entry entry, NaiveTask task) {
        long amount = task.ask.routing().map(Routing::amount).orElse(0L);
        return limit(entry.platformModel()).filter(limit -> amount > limit).isPresent();
    }

    Wait mayWait(NaiveTask task, Blocked why) {
        if (task.ask.maxWait() instanceof MaxWait.DoNotQueue) {
            return Wait.refused(Reason.CONCURRENCY_LIMIT_EXCEEDED);
        }
        for (Demand demand : task.ask.demands()) {
            Optional<Reason> refused = queueOf(demand.scope(), demand.amount(), task);
            if (refused.isPresent()) {
                return Wait.refused(refused.get());
            }
        }
        Optional<RoutePolicy> route = route(task);
        if (route.isEmpty()) {
            return new Wait(Optional.empty(), Optional.empty(), false);
        }
        Optional<Reason> first = Optional.empty();
        for (RoutePolicy.Entry entry : route.get().entries()) {
            if (isTooLargeFor(entry, task) || !isPossible(entry, task)) {
                continue;
            }
            long amount = task.ask.routing().orElseThrow().amount();
            Optional<Reason> refused = queueOf(entry.platformModel(), amount, task);
            if (refused.isEmpty()) {
                return mayWaitForProvider(task, route.get(), entry.platformModel(), why);
            }
            first = first.or(() -> refused);
        }
        return Wait.refused(first.orElse(Reason.NO_CAPACITY));
    }

    private Wait mayWaitForProvider(NaiveTask task, RoutePolicy route, Scope bound, Blocked why) {
        boolean dispatchOnly = task.ask.isSync() && why != Blocked.BY_SCOPE;
        if (dispatchOnly && dispatchWaiting(route) >= dispatch(route).maxQueue()) {
            return Wait.refused(Reason.QUEUE_FULL);
        }
        return new Wait(Optional.empty(), Optional.of(bound), dispatchOnly);
    }

    private long dispatchWaiting(RoutePolicy route) {
        return tasks.stream()
                .filter(task -> task.waits() && task.dispatchOnly)
                .filter(task -> {
                    RoutePolicy other = route(task).orElseThrow();
                    return route.dispatch().isPresent()
                            ? other.id().equals(route.id())
                            : other.dispatch().isEmpty();
                })
                .count();
    }

    private DispatchPolicy dispatch(RoutePolicy route) {
        return route.dispatch().orElse(policies.queueing().dispatch());
    }

    private Optional<Reason> queueOf(Scope scope, long amount, NaiveTask task) {
        return task.ask.isSync() ? queueOfSync(scope, amount, task) : queueOfAsync(scope, amount);
    }

    private Optional<Reason> queueOfSync(Scope scope, long amount, NaiveTask task) {
        int queueLimit = policies.of(scope).queueLimit();
        if (queueLimit > 0) {
            return waiting(scope) >= queueLimit ? Optional.of(Reason.QUEUE_FULL) : Optional.empty();
        }
        boolean someoneWaitsForIt = line().stream()
                .filter(other -> other.before(task) && carries(other, scope))
                .anyMatch(other -> !hasRoomByLimit(scope, amountIn(scope, other)));
        return limit(scope).isPresent() && (!hasRoom(scope, amount, task) || someoneWaitsForIt)
                ? Optional.of(Reason.CONCURRENCY_LIMIT_EXCEEDED)
                : Optional.empty();
    }

    private Optional<Reason> queueOfAsync(Scope scope, long amount) {
        int queueLimit = policies.of(scope).queueLimit();
        boolean noQueueOfWorkers = scope.type().equals(Scope.WORKER_CAPACITY) && queueLimit == 0;
        if (limit(scope).isEmpty() || noQueueOfWorkers) {
            return Optional.empty();
        }
        long over = active(scope) + waitingAmount(scope) + amount - limit(scope).get();
        if (over <= 0) {
            return Optional.empty();
        }
        if (queueLimit == 0) {
            return Optional.of(Reason.CONCURRENCY_LIMIT_EXCEEDED);
        }
        long wholeTasks = (over + Amount.ONE - 1) / Amount.ONE;
        return wholeTasks > queueLimit ? Optional.of(Reason.QUEUE_FULL) : Optional.empty();
    }

    /** Waiting tasks that count in the queue of the scope, detached ones too. */
    Stream<NaiveTask> queue(Scope scope) {
        return tasks.stream()
                .filter(NaiveTask::waits)
                .filter(task -> task.bound.filter(scope::equals).isPresent()
                        || task.ask.demands().stream()
                                .anyMatch(demand -> demand.scope().equals(scope)));
    }

    long waiting(Scope scope) {
        return queue(scope).count();
    }

    private long waitingAmount(Scope scope) {
        return queue(scope).mapToLong(task -> amountIn(scope, task)).sum();
    }

    /** When a wait that began at {@code start} ends. */
    long deadline(NaiveTask task, long start) {
        Optional<Duration> bound = task.ask.isSync()
                ? syncBound(task)
                : Optional.of(policies.queueing().asyncMaxWait());
        Optional<Duration> own = switch (task.ask.maxWait()) {
            case MaxWait.Inherit any -> Optional.empty();
            case MaxWait.DoNotQueue any -> Optional.of(Duration.ofNanos(1));
            case MaxWait.AtMost most -> Optional.of(most.bound());
        };
        return Stream.concat(bound.stream(), own.stream())
                .min(Duration::compareTo)
                .map(wait -> start + wait.toNanos())
                .orElse(Long.MAX_VALUE);
    }

    private Optional<Duration> syncBound(NaiveTask task) {
        Optional<RoutePolicy> route = route(task);
        Stream<Scope> models =
                route.stream().flatMap(policy -> policy.entries().stream()).map(RoutePolicy.Entry::platformModel);
        Optional<Duration> smallest = Stream.concat(task.ask.demands().stream().map(Demand::scope), models)
                .map(policies::of)
                .filter(policy -> policy.queueLimit() > 0)
                .map(ScopePolicy::maxWait)
                .min(Duration::compareTo);
        if (smallest.isPresent()) {
            return smallest;
        }
        if (route.isEmpty()) {
            return Optional.of(ScopePolicy.DEFAULT_MAX_WAIT);
        }
        return Optional.of(dispatch(route.get()).queueTimeout()).filter(Duration::isPositive);
    }
}
