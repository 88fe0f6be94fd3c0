package dev.sluice.admission.histories;

import dev.sluice.admission.Amount;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.Lease;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.Mode;
import dev.sluice.admission.Placement;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderState;
import dev.sluice.admission.Refusal.Reason;
import dev.sluice.admission.RoutePolicy;
import dev.sluice.admission.Routing;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The rules of the ledger, written once more and as plainly as possible. */
final class NaiveLedger extends NaiveQueues {
    private final Map<String, Long> heard = new HashMap<>();
    private final NaiveClaims claims = new NaiveClaims();
    private long nextSequence = 1;
    private long nextEpoch = 1;

    NaiveLedger(Policies policies) {
        this.policies = policies;
    }

    /** The answer to an ask: what is said at once, and the claim it opened if the task waits. */
    record Answer(String said, Optional<NaiveClaims.Claim> claim) {
        static Answer said(String said) {
            return new Answer(said, Optional.empty());
        }
    }

    /** Removes whoever time has ended, then admits whoever may run. */
    void tick() {
        for (NaiveTask task : List.copyOf(tasks)) {
            if (task.waits()) {
                if (task.deadline <= now) {
                    evict(task, Eviction.QUEUE_TIMEOUT);
                } else if (waiterUntil(task) <= now) {
                    evict(task, Eviction.WAITER_LOST);
                }
            } else if (task.holding.orElseThrow().expiresAt() <= now) {
                expire(task);
            }
        }
        promote();
    }

    private void expire(NaiveTask task) {
        if (task.ask.isSync()) {
            tasks.remove(task);
            return;
        }
        task.holding = Optional.empty();
        task.ask = task.ask.within(MaxWait.INHERIT);
        task.since = now;
        task.deadline = deadline(task, now);
        task.deadlineCap = Long.MAX_VALUE;
        bindAnew(task);
        impossible(task).ifPresent(reason -> evict(task, evictionFor(reason)));
    }

    private long waiterUntil(NaiveTask task) {
        return switch (task.ask.mode()) {
            case Mode.Async any -> Long.MAX_VALUE;
            case Mode.Sync sync ->
                task.detached
                        ? task.waiterUntil
                        : Math.max(task.waiterUntil, heard.getOrDefault(sync.holder(), Long.MIN_VALUE));
        };
    }

    private void promote() {
        Optional<NaiveTask> next = firstThatFits();
        while (next.isPresent()) {
            admit(next.get(), place(next.get()).placement());
            next = firstThatFits();
        }
    }

    Optional<NaiveTask> firstThatFits() {
        return line().stream().filter(task -> place(task).fits()).findFirst();
    }

    private void admit(NaiveTask task, Optional<Placement> placement) {
        List<Lease> leases = new ArrayList<>();
        for (Demand demand : task.ask.demands()) {
            leases.add(new Lease(demand.scope(), demand.amount()));
        }
        placement.ifPresent(where -> {
            Routing routing = task.ask.routing().orElseThrow();
            leases.add(new Lease(where.platformModel(), routing.amount()));
            leases.add(new Lease(Scope.provider(where.provider()), Amount.ONE));
            parts(where.provider(), task).forEach(part -> leases.add(new Lease(part, Amount.ONE)));
            lastChosen.put(routing.route(), where.provider());
            task.bound = Optional.of(where.platformModel());
        });
        leases.sort(Comparator.comparing(Lease::scope));
        Stream<Scope> bounding = placement.isPresent()
                ? placement.map(Placement::platformModel).stream()
                : leases.stream().map(Lease::scope);
        long ttl = bounding.map(policies::of)
                .map(ScopePolicy::leaseTtl)
                .min(Comparator.naturalOrder())
                .orElseThrow()
                .toNanos();
        task.holding = Optional.of(new NaiveTask.Holding(nextEpoch++, leases, placement, ttl, now + ttl));
        claims.admitted(task.ask.task());
        overtaken(task).forEach(other -> other.overtakes++);
    }

    private void evict(NaiveTask task, Eviction reason) {
        tasks.remove(task);
        claims.evicted(task.ask.task(), reason);
    }

    Answer submit(Ask ask) {
        tick();
        Optional<NaiveTask> known = find(Words.number(ask.task()));
        Answer answer = known.isPresent() ? again(known.get(), ask) : first(ask);
        return settled(answer, ask);
    }

    private Answer first(Ask ask) {
        NaiveTask task = new NaiveTask(ask, nextSequence, now);
        task.waiterUntil = now + waiterLease();
        task.deadline = deadline(task, now);
        Judgement judgement = judge(task);
        if (judgement.refused().isEmpty()) {
            nextSequence++;
            tasks.add(task);
        }
        return carryOut(task, judgement);
    }

    /** What the rules say about a task that is not among the tasks. */
    private record Judgement(Optional<Reason> refused, Place place, Wait queue) {}

    private Judgement judge(NaiveTask task) {
        Optional<Reason> impossible = impossible(task);
        Place place = impossible.isPresent() ? Place.blocked(Blocked.BY_SCOPE) : place(task);
        if (impossible.isPresent() || place.fits()) {
            return new Judgement(impossible, place, new Wait(Optional.empty(), Optional.empty(), false));
        }
        Wait wait = mayWait(task, place.blocked().orElseThrow());
        return new Judgement(wait.refused(), place, wait);
    }

    private Answer carryOut(NaiveTask task, Judgement judgement) {
        if (judgement.refused().isPresent()) {
            return Answer.said("rejected " + judgement.refused().get());
        }
        if (judgement.place().fits()) {
            admit(task, judgement.place().placement());
            return Answer.said("admitted");
        }
        task.bound = judgement.queue().bound();
        task.dispatchOnly = judgement.queue().dispatchOnly();
        return Answer.said("waiting");
    }

    private Answer again(NaiveTask task, Ask ask) {
        boolean same = task.ask.demands().equals(ask.demands())
                && task.ask.routing().equals(ask.routing())
                && task.ask.isSync() == ask.isSync();
        if (!task.waits()) {
            boolean holds = !task.ask.isSync() || task.waiter().equals(NaiveTask.waiter(ask));
            if (!same) {
                return move(task, ask);
            }
            return Answer.said(holds ? "admitted before" : "rejected " + Reason.IN_PROGRESS);
        }
        if (!same) {
            return move(task, ask);
        }
        if (ask.isSync()) {
            task.ask = new Ask(
                    ask.task(),
                    ask.mode(),
                    task.ask.priority(),
                    ask.demands(),
                    ask.routing(),
                    task.ask.maxWait(),
                    task.ask.label());
            task.waiterUntil = now + waiterLease();
            task.detached = false;
            claims.heldBy(ask.task(), task.waiter());
        }
        return Answer.said("waiting");
    }

    /** Tests the target as if the task were not there; a refusal leaves everything as it was. */
    private Answer move(NaiveTask task, Ask ask) {
        NaiveTask moved = new NaiveTask(task);
        moved.ask = new Ask(
                ask.task(), ask.mode(), task.ask.priority(), ask.demands(), ask.routing(), ask.maxWait(), ask.label());
        moved.detached = false;
        moved.waiterUntil = now + waiterLease();
        if (task.waits()) {
            moved.deadline = Math.min(task.deadline, deadline(moved, now));
            moved.deadlineCap = Math.min(task.deadlineCap, moved.deadline);
        } else {
            moved.holding = Optional.empty();
            moved.since = now;
            moved.deadline = deadline(moved, now);
            moved.deadlineCap = Long.MAX_VALUE;
        }
        int place = tasks.indexOf(task);
        tasks.remove(task);
        Judgement judgement = judge(moved);
        tasks.add(place, task);
        if (judgement.refused().isEmpty()) {
            claims.heldBy(ask.task(), NaiveTask.waiter(ask));
            task.become(moved);
        }
        return carryOut(task, judgement);
    }

    /** A task that was queued may have been admitted by the promotion that followed; if not, its asker has a claim. */
    private Answer settled(Answer answer, Ask ask) {
        promote();
        if (!answer.said().equals("waiting")) {
            return answer;
        }
        boolean waits = find(Words.number(ask.task())).orElseThrow().waits();
        return waits
                ? new Answer("waiting", Optional.of(claims.open(ask.task(), NaiveTask.waiter(ask))))
                : Answer.said("admitted");
    }

    Optional<Answer> rebind(Ask ask) {
        tick();
        Optional<NaiveTask> task = find(Words.number(ask.task()));
        if (task.isEmpty()) {
            return Optional.empty();
        }
        if (!task.get().waits()) {
            return Optional.of(Answer.said("admitted before"));
        }
        Answer answer = move(task.get(), ask);
        promote();
        boolean waits = find(Words.number(ask.task())).orElseThrow().waits();
        return Optional.of(answer.said().equals("waiting") && !waits ? Answer.said("admitted") : answer);
    }

    Answer failOver(Ask ask, long epoch) {
        tick();
        Optional<NaiveTask> task = find(Words.number(ask.task()));
        if (task.filter(found -> holds(found, epoch)).isEmpty()) {
            return settled(Answer.said("rejected " + Reason.FINISHED), ask);
        }
        return settled(move(task.get(), ask), ask);
    }

    private static boolean holds(NaiveTask task, long epoch) {
        return task.holding.filter(holding -> holding.epoch() == epoch).isPresent();
    }

    boolean release(int number, long epoch) {
        tick();
        Optional<NaiveTask> task = find(number).filter(found -> holds(found, epoch));
        task.ifPresent(tasks::remove);
        promote();
        return task.isPresent();
    }

    boolean renew(int number, long epoch) {
        tick();
        Optional<NaiveTask> task = find(number).filter(found -> holds(found, epoch));
        task.ifPresent(found -> found.holding =
                found.holding.map(holding -> holding.until(Math.max(holding.expiresAt(), now + holding.ttl()))));
        return task.isPresent();
    }

    boolean confirm(int number, long epoch) {
        tick();
        return find(number).filter(found -> holds(found, epoch)).isPresent();
    }

    boolean renewWaiter(int number, String waiter) {
        tick();
        Optional<NaiveTask> task = waitingUnder(number, waiter);
        task.ifPresent(found -> found.waiterUntil = now + waiterLease());
        return task.isPresent();
    }

    boolean detach(int number, String waiter) {
        tick();
        Optional<NaiveTask> task = waitingUnder(number, waiter);
        task.ifPresent(found -> {
            found.waiterUntil = now + waiterLease();
            found.detached = true;
        });
        promote();
        return task.isPresent();
    }

    private Optional<NaiveTask> waitingUnder(int number, String waiter) {
        return find(number)
                .filter(task -> task.stands() && task.ask.isSync())
                .filter(task -> task.waiter().equals(waiter));
    }

    /** A heartbeat at the last instant is in time. */
    void renewHolder(String holder) {
        heard.merge(holder, now + waiterLease(), Math::max);
        tick();
    }

    boolean cancel(int number, Eviction reason) {
        tick();
        Optional<NaiveTask> task = find(number);
        task.ifPresent(found -> {
            if (found.waits()) {
                evict(found, reason);
            } else {
                tasks.remove(found);
            }
        });
        promote();
        return task.isPresent();
    }

    boolean changePriority(int number, int priority) {
        tick();
        Optional<NaiveTask> task = find(number).filter(NaiveTask::waits);
        task.ifPresent(found -> found.ask = new Ask(
                found.ask.task(),
                found.ask.mode(),
                priority,
                found.ask.demands(),
                found.ask.routing(),
                found.ask.maxWait(),
                found.ask.label()));
        promote();
        return task.isPresent();
    }

    void configure(Policies changed) {
        tick();
        policies = changed;
        lastChosen.keySet().retainAll(changed.routes().keySet());
        for (NaiveTask task : tasks.stream().filter(NaiveTask::waits).toList()) {
            Optional<Reason> impossible = impossible(task);
            if (impossible.isPresent()) {
                evict(task, evictionFor(impossible.get()));
            } else {
                task.deadline = Math.min(task.deadlineCap, deadline(task, task.since));
                bindAnew(task);
            }
        }
        promote();
    }

    /** It counts in its old platform model, unless its route has left that, then in the first. */
    private void bindAnew(NaiveTask task) {
        List<Scope> models = route(task).map(RoutePolicy::entries).orElse(List.of()).stream()
                .map(RoutePolicy.Entry::platformModel)
                .toList();
        task.bound =
                task.bound.filter(models::contains).or(() -> models.stream().findFirst());
    }

    void providerUp(String provider, boolean isUp) {
        tick();
        up.put(provider, isUp);
        evictWhoHasNoProvider();
    }

    void operate(String provider, ProviderState state) {
        tick();
        states.put(provider, state);
        evictWhoHasNoProvider();
    }

    private void evictWhoHasNoProvider() {
        tasks.stream()
                .filter(task -> task.waits() && !isPossible(task))
                .toList()
                .forEach(task -> evict(task, Eviction.NO_CAPACITY));
        promote();
    }

    private long waiterLease() {
        return policies.queueing().waiterLease().toNanos();
    }
}
