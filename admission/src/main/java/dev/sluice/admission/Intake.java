package dev.sluice.admission;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Decides on tasks that ask: for the first time, again, or for another binding. */
final class Intake {
    private final Book book;
    private final Fitting fitting;
    private final Granting granting;
    private final QueueRules rules;
    private final Deadlines deadlines;
    private final Refusals refusals;
    private final Recorder recorder;

    Intake(
            Book book,
            Fitting fitting,
            Granting granting,
            QueueRules rules,
            Deadlines deadlines,
            Refusals refusals,
            Recorder recorder) {
        this.book = book;
        this.fitting = fitting;
        this.granting = granting;
        this.rules = rules;
        this.deadlines = deadlines;
        this.refusals = refusals;
        this.recorder = recorder;
    }

    /** What the rules say about a row that is in no index. */
    private sealed interface Answer permits Answer.Runs, Answer.Waits, Answer.Refused {
        /** {@link Fitting} says where. */
        record Runs() implements Answer {}

        Answer RUNS = new Runs();

        record Waits(Binding binding, @Nullable Scope bound, boolean dispatchOnly, WaitReason reason)
                implements Answer {}

        record Refused(Refusal refusal) implements Answer {}
    }

    Decision submit(Ask ask, long now) {
        Node known = book.node(ask.task());
        if (known != null) {
            return again(known, ask, now);
        }
        Node node = new Node(Row.arriving(ask, book.nextSequence, now, waiterUntil(ask, now)));
        return switch (answer(node, now)) {
            case Answer.Runs any -> {
                granting.grantNew(node, now);
                yield admitted(node, true);
            }
            case Answer.Waits waits -> {
                Binding binding = waits.binding();
                Row queued = node.row.queued(
                        waits.bound(), waits.dispatchOnly(), deadlines.of(ask, binding, now), binding.shared(ask));
                recorder.queue(node, queued, binding);
                yield new Waiting(ask.task(), waits.reason());
            }
            case Answer.Refused refused -> new Rejected(ask.task(), refused.refusal());
        };
    }

    private Decision again(Node known, Ask ask, long now) {
        Row row = known.row;
        boolean same = row.ask().demands().equals(ask.demands())
                && row.ask().routing().equals(ask.routing())
                && row.ask().isSync() == ask.isSync();
        if (!row.waits()) {
            Grant grant = row.grant();
            if (!same && grant != null) {
                return failOver(ask, grant.epoch(), now);
            }
            return holds(row, ask)
                    ? admitted(known, false)
                    : new Rejected(ask.task(), refusals.ofTask(ask, Refusal.Reason.IN_PROGRESS));
        }
        if (!same) {
            return rebind(ask, now).orElseThrow();
        }
        if (ask.isSync()) {
            Change.Cause cause = holds(row, ask) && !row.detached() ? Change.Cause.RENEWED : Change.Cause.TAKEN_OVER;
            Row held = row.asked(withMode(row.ask(), ask.mode())).held(waiterUntil(ask, now), false);
            recorder.change(known, held, cause, now);
        }
        return waiting(known);
    }

    Optional<Decision> rebind(Ask ask, long now) {
        Node node = book.node(ask.task());
        if (node == null) {
            return Optional.empty();
        }
        Row before = node.row;
        if (!before.waits()) {
            return Optional.of(admitted(node, false));
        }
        Ask rebound = withPriority(ask, before.ask().priority());
        long deadline = Math.min(before.deadline(), deadlines.of(rebound, now));
        Row moved = before.asked(rebound)
                .held(waiterUntil(ask, now), false)
                .due(deadline, Math.min(before.deadlineCap(), deadline));
        return Optional.of(move(node, moved, Change.Cause.REBOUND, now));
    }

    Decision failOver(Ask ask, long epoch, long now) {
        Node node = book.node(ask.task());
        Grant grant = node == null ? null : node.row.grant();
        if (node == null || grant == null || grant.epoch() != epoch) {
            return new Rejected(ask.task(), refusals.ofTask(ask, Refusal.Reason.FINISHED));
        }
        Row before = node.row;
        Ask target = withPriority(ask, before.ask().priority());
        Row moved = before.requeued(now)
                .asked(target)
                .held(waiterUntil(ask, now), false)
                .due(deadlines.of(target, now), Long.MAX_VALUE);
        return move(node, moved, Change.Cause.QUEUED, now);
    }

    /** Tests {@code moved} as if {@code known} were not there; a refusal leaves everything as it was. */
    private Decision move(Node known, Row moved, Change.Cause ifWaits, long now) {
        Row before = known.row;
        book.replace(before, null, now);
        Answer answer = answer(new Node(moved), now);
        Node node = new Node(before);
        node.claim = known.claim;
        book.add(node, before, null, now);
        return switch (answer) {
            case Answer.Runs any -> {
                granting.move(node, moved, before.waits() ? Change.Cause.ADMITTED : Change.Cause.MOVED, now);
                yield admitted(node, true);
            }
            case Answer.Waits waits -> {
                recorder.change(node, moved.queued(waits.bound(), waits.dispatchOnly()), ifWaits, now);
                yield waiting(node);
            }
            case Answer.Refused refused -> new Rejected(moved.task(), refused.refusal());
        };
    }

    private Answer answer(Node node, long now) {
        Row row = node.row;
        Ask ask = row.ask();
        Binding binding = book.binding(ask, now - row.enqueuedAt());
        // What blocks the head of its own queue blocks it too.
        boolean isBehind = binding.isBefore(node) && binding.isParked() && binding.waitsForScope();
        if (!isBehind && fitting.fits(binding, node)) {
            return Answer.RUNS;
        }
        // Only now, since what fits is possible.
        Refusal impossible = rules.impossible(ask, binding.scopes);
        if (impossible != null) {
            return new Answer.Refused(impossible);
        }
        WaitReason reason = isBehind ? binding.reason : fitting.reason;
        ScopeState blocker =
                (isBehind ? binding.watched() : fitting.blockers).getFirst().scope();
        return switch (rules.mayWait(node, binding.scopes, reason, blocker)) {
            case QueueRules.Verdict.MayWait may -> new Answer.Waits(binding, may.bound(), may.dispatchOnly(), reason);
            case QueueRules.Verdict.Refused refused -> new Answer.Refused(refused.refusal());
        };
    }

    /** What the book says about a task that was queued. */
    Decision current(UUID task) {
        Node node = book.node(task);
        if (node == null) {
            throw new IllegalStateException("unknown task " + task);
        }
        return node.row.waits() ? waiting(node) : admitted(node, true);
    }

    private static Waiting waiting(Node node) {
        Binding binding = node.binding;
        return new Waiting(node.row.task(), binding == null ? WaitReason.of(WaitReason.Kind.DETACHED) : binding.reason);
    }

    /** Reads nothing of the ask, which was last touched when the task came. */
    static Admitted admitted(Node node, boolean newly) {
        Footprint held = node.footprint;
        return held == null ? admitted(node.row, newly) : admitted(node.task, node.row, held.leaseTtl(), newly);
    }

    static Admitted admitted(Row row, boolean newly) {
        return admitted(row.task(), row, Duration.ofNanos(grant(row).ttl()), newly);
    }

    private static Grant grant(Row row) {
        Grant grant = row.grant();
        if (grant == null) {
            throw new IllegalStateException("task " + row.task() + " holds nothing");
        }
        return grant;
    }

    private static Admitted admitted(UUID task, Row row, Duration leaseTtl, boolean newly) {
        Grant grant = grant(row);
        long waited = grant.at() - row.enqueuedAt();
        return new Admitted(
                task,
                grant.epoch(),
                grant.leases(),
                Optional.ofNullable(grant.placement()),
                newly,
                leaseTtl,
                waited > 0 ? Duration.ofNanos(waited) : Duration.ZERO,
                grant.provisional());
    }

    private long waiterUntil(Ask ask, long now) {
        return ask.isSync() ? now + book.policies.queueing().waiterLease().toNanos() : Long.MAX_VALUE;
    }

    /** Whether the asker is the one who holds the task; nobody in particular holds an asynchronous one. */
    private static boolean holds(Row row, Ask ask) {
        return !(row.ask().mode() instanceof Mode.Sync held)
                || (ask.mode() instanceof Mode.Sync asking && asking.waiter().equals(held.waiter()));
    }

    private static Ask withMode(Ask ask, Mode mode) {
        return new Ask(ask.task(), mode, ask.priority(), ask.demands(), ask.routing(), ask.maxWait(), ask.label());
    }

    static Ask withPriority(Ask ask, int priority) {
        return new Ask(ask.task(), ask.mode(), priority, ask.demands(), ask.routing(), ask.maxWait(), ask.label());
    }
}
