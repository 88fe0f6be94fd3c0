package dev.sluice.admission.histories;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Lease;
import dev.sluice.admission.Scope;
import dev.sluice.admission.Snapshot;
import dev.sluice.admission.TaskFilter;
import dev.sluice.admission.TaskView;
import dev.sluice.admission.WaitReason;
import dev.sluice.admission.histories.Player.Parted;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What must hold after every step: invariants of the engine's own views, then equality with the naive ledger. */
final class Comparison {
    private final NaiveLedger naive;
    private Map<Scope, Long> activeBefore = new HashMap<>();
    private long highestEpoch;

    Comparison(NaiveLedger naive) {
        this.naive = naive;
    }

    /** @param reloaded in this step, so that what grew may have done so under the old limits */
    List<TaskView> compare(Admission admission, boolean reloaded) {
        Snapshot snapshot = admission.snapshot();
        List<TaskView> views = admission.list(TaskFilter.ALL);
        limits(snapshot, reloaded);
        conservation(snapshot, views);
        epochs(views);
        tasks(views);
        scopes(snapshot);
        providers(snapshot);
        Optional<NaiveTask> lost = naive.firstThatFits();
        if (lost.isPresent()) {
            throw new Parted("#" + Words.number(lost.get().ask.task()) + " waits although it could run");
        }
        return views;
    }

    /** Nothing grows above its limit; what a lowered limit left above it may stay. */
    private void limits(Snapshot snapshot, boolean reloaded) {
        Map<Scope, Long> active = new HashMap<>();
        for (Snapshot.ScopeView view : snapshot.scopes()) {
            active.put(view.scope(), view.active());
            boolean grew = !reloaded && view.active() > activeBefore.getOrDefault(view.scope(), 0L);
            if (view.active() < 0 || (view.limit() > 0 && view.active() > view.limit() && grew)) {
                throw new Parted(view.scope() + " holds " + view.active() + " of " + view.limit());
            }
        }
        for (Snapshot.ProviderView view : snapshot.providers()) {
            long before = activeBefore.getOrDefault(Scope.provider(view.id()), 0L) / 1_000;
            if (!reloaded && view.inFlight() > view.capacity() && view.inFlight() > before) {
                throw new Parted(view.id() + " runs " + view.inFlight() + " of " + view.capacity());
            }
        }
        activeBefore = active;
    }

    /** What scopes and providers count is what admitted tasks hold, no more and no less. */
    private static void conservation(Snapshot snapshot, List<TaskView> views) {
        Map<Scope, Long> held = new HashMap<>();
        for (TaskView view : views) {
            if (view.waiting() != view.leases().isEmpty()) {
                throw new Parted("#" + Words.number(view.task()) + " waits and holds, or runs and holds nothing");
            }
            for (Lease lease : view.leases()) {
                held.merge(lease.scope(), lease.amount(), Long::sum);
            }
        }
        for (Snapshot.ScopeView view : snapshot.scopes()) {
            long leased = held.getOrDefault(view.scope(), 0L);
            if (!isPartLimited(view) || view.active() < leased) {
                same(view.scope() + " active", view.active(), leased);
            }
            held.remove(view.scope());
        }
        if (!held.isEmpty()) {
            throw new Parted("held and not counted: " + held);
        }
    }

    /** It also counts those who were admitted while it had no limit, and so have no lease of it. */
    private static boolean isPartLimited(Snapshot.ScopeView view) {
        return view.scope().isOfProvider() && !view.scope().type().equals(Scope.PROVIDER) && view.limit() > 0;
    }

    /** An epoch that was not there before is the highest so far. */
    private void epochs(List<TaskView> views) {
        long highest = highestEpoch;
        long newOnes = views.stream()
                .filter(view -> view.epoch() > highestEpoch)
                .map(TaskView::epoch)
                .distinct()
                .count();
        long newTasks =
                views.stream().filter(view -> view.epoch() > highestEpoch).count();
        same("distinct new epochs", newOnes, newTasks);
        for (TaskView view : views) {
            highest = Math.max(highest, view.epoch());
        }
        highestEpoch = highest;
    }

    private void tasks(List<TaskView> views) {
        same("tasks", views.size(), naive.tasks.size());
        List<Integer> line = views.stream()
                .filter(TaskView::waiting)
                .map(view -> Words.number(view.task()))
                .toList();
        List<Integer> expected = naive.tasks.stream()
                .filter(NaiveTask::waits)
                .sorted((a, b) -> a.before(b) ? -1 : 1)
                .map(task -> Words.number(task.ask.task()))
                .toList();
        same("the line", line, expected);
        for (TaskView view : views) {
            int number = Words.number(view.task());
            NaiveTask task = naive.find(number).orElseThrow(() -> new Parted("#" + number + " should not exist"));
            task(view, task, "#" + number);
        }
    }

    private void task(TaskView view, NaiveTask task, String name) {
        same(name + " waits", view.waiting(), task.waits());
        same(
                name + " leases",
                view.leases(),
                task.holding.map(NaiveTask.Holding::leases).orElse(List.of()));
        same(name + " placement", view.placement(), task.holding.flatMap(NaiveTask.Holding::placement));
        same(name + " priority", view.priority(), task.ask.priority());
        if (task.waits()) {
            Optional<Duration> left = task.deadline == Long.MAX_VALUE
                    ? Optional.empty()
                    : Optional.of(Duration.ofNanos(task.deadline - naive.now));
            same(name + " deadline", view.deadlineIn(), left);
            boolean detached = view.reason().orElseThrow().kind() == WaitReason.Kind.DETACHED;
            same(name + " detached", detached, task.detached);
            if (naive.policies.queueing().maxOvertakes() < 1_000) {
                same(name + " overtakes", view.overtakes(), task.overtakes);
            }
        }
    }

    private void scopes(Snapshot snapshot) {
        for (Snapshot.ScopeView view : snapshot.scopes()) {
            Scope scope = view.scope();
            same(scope + " active", view.active(), naive.active(scope));
            if (!scope.isOfProvider()) {
                long sync = naive.queue(scope).filter(task -> task.ask.isSync()).count();
                same(scope + " waiting sync", (long) view.waitingSync(), sync);
                same(scope + " waiting async", (long) view.waitingAsync(), naive.waiting(scope) - sync);
                same(scope + " limit", view.limit(), naive.limit(scope).orElse(0L));
            }
        }
        long sync = naive.tasks.stream()
                .filter(task -> task.waits() && task.ask.isSync())
                .count();
        same("waiting sync", (long) snapshot.waitingSync(), sync);
        long waiting = naive.tasks.stream().filter(NaiveTask::waits).count();
        same("waiting async", (long) snapshot.waitingAsync(), waiting - sync);
    }

    private void providers(Snapshot snapshot) {
        for (Snapshot.ProviderView view : snapshot.providers()) {
            same(view.id() + " in flight", view.inFlight() * 1_000L, naive.active(Scope.provider(view.id())));
            same(view.id() + " long", view.longInFlight() * 1_000L, naive.active(Scope.providerLong(view.id())));
            same(view.id() + " up", view.up(), naive.up.getOrDefault(view.id(), true));
        }
    }

    private static void same(String what, Object engine, Object naive) {
        if (!engine.equals(naive)) {
            throw new Parted(what + ": the engine says " + engine + ", the naive ledger " + naive);
        }
    }
}
