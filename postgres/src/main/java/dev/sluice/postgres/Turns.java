package dev.sluice.postgres;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Claims;
import dev.sluice.admission.Decision;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.Grant;
import dev.sluice.admission.Outcome;
import dev.sluice.admission.Rejected;
import dev.sluice.admission.Row;
import dev.sluice.admission.Turn;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Asks the engine for tasks and answers those who asked: after the commit, and with the hooks run in it. */
final class Turns {
    private final Mirror mirror;
    private final Engine engine;
    private final Map<UUID, AdmittedHook> hooks;

    /** @param hooks of the tasks that wait for their admission */
    Turns(Mirror mirror, Engine engine, Map<UUID, AdmittedHook> hooks) {
        this.mirror = mirror;
        this.engine = engine;
        this.hooks = hooks;
    }

    Turn submit(Ask ask) {
        return claim(ask, (ledger, now) -> ledger.submit(ask, now), null, false);
    }

    Turn submit(Ask ask, AdmittedHook hook) {
        hooks.put(ask.task(), hook);
        Turn turn = claim(ask, (ledger, now) -> ledger.submit(ask, now), null, false);
        turn.decision().whenComplete((decision, failure) -> {
            if (decision instanceof Rejected || failure != null) {
                hooks.remove(ask.task(), hook);
            }
        });
        turn.outcome().whenComplete((outcome, failure) -> hooks.remove(ask.task(), hook));
        return turn;
    }

    Turn submit(Ask ask, QueuedHook hook) {
        return claim(
                ask,
                (ledger, now) -> ledger.submit(ask, now),
                // Asked again after an uncertain commit, the task is there and so is what the hook did.
                new Op.When<>(decided -> decided.isNew() && !(decided.decision() instanceof Rejected), hook),
                hook instanceof RepeatableHook);
    }

    Turn failOver(Ask ask, long epoch) {
        AtomicBoolean tried = new AtomicBoolean();
        return claim(
                ask,
                (ledger, now) -> {
                    // Asked again after an uncertain commit that took place after all, the task has moved already.
                    boolean moved = tried.getAndSet(true)
                            && ledger.row(ask.task())
                                    .filter(row -> isMoved(row, ask, epoch))
                                    .isPresent();
                    return moved ? ledger.submit(ask, now) : ledger.failOver(ask, epoch, now);
                },
                null,
                false);
    }

    private static boolean isMoved(Row row, Ask target, long from) {
        Grant grant = row.grant();
        return (grant == null || grant.epoch() != from)
                && row.ask().mode().equals(target.mode())
                && row.ask().demands().equals(target.demands())
                && row.ask().routing().equals(target.routing());
    }

    /**
     * A decision with what a claim must know of the row behind it.
     *
     * @param isNew whether the ledger did not know the task before
     */
    private record Decided(Decision decision, long deadline, boolean isNew) {}

    private Turn claim(Ask ask, Op.Decide<Decision> decide, Op.@Nullable Hook<Decided> hook, boolean shares) {
        if (engine.isClosed()) {
            return Claims.ended(Rejected.shuttingDown(ask));
        }
        Op<?> undo = takingBack(ask.task(), Claims.waiter(ask), Eviction.CANCELLED);
        Op<Decided> op = new Op<>(
                Op.WhenAway.FAIL,
                (ledger, now) -> {
                    boolean isNew = ledger.row(ask.task()).isEmpty();
                    Decision decision = decide.on(ledger, now);
                    long deadline = ledger.row(ask.task()).map(Row::deadline).orElse(Long.MAX_VALUE);
                    return new Decided(decision, deadline, isNew);
                },
                hook,
                undo);
        op.sharingIf(shares);
        CompletableFuture<Decision> decision = new CompletableFuture<>();
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        op.onCommit(decided -> {
            Turn turn = mirror.claims.turn(ask, decided.decision(), decided.deadline());
            return () -> {
                turn.decision().whenComplete((made, failure) -> complete(decision, made, failure));
                turn.outcome().whenComplete((made, failure) -> complete(outcome, made, failure));
            };
        });
        op.answerLater().whenComplete((decided, failure) -> {
            if (failure != null) {
                decision.completeExceptionally(failure);
                outcome.completeExceptionally(failure);
            }
        });
        engine.enqueue(op);
        return new Turn(ask.task(), decision, outcome);
    }

    /** Removes a task or releases it, unless another waiter, perhaps of another process, has taken it over. */
    static Op<Boolean> takingBack(UUID task, String waiter, Eviction reason) {
        return Op.kept((ledger, now) -> ledger.row(task)
                        .filter(row -> Claims.waiter(row.ask()).equals(waiter))
                        .isPresent()
                && ledger.cancel(task, reason, now));
    }

    private static <T> void complete(CompletableFuture<T> future, T value, @Nullable Throwable failure) {
        if (failure != null) {
            future.completeExceptionally(failure);
        } else {
            future.complete(value);
        }
    }

    /** A provisional grant for somebody here is made firm before he is told, and given back if he has gone. */
    void confirm(Row row) {
        Grant grant = row.grant();
        if (grant == null) {
            return;
        }
        UUID task = row.task();
        long epoch = grant.epoch();
        AdmittedHook hook = hooks.get(task);
        Op.Hook<Confirmed> run = hook == null
                ? null
                : (connection, confirmed) -> {
                    if (confirmed.isHeld() && confirmed.isNew()) {
                        hook.run(connection, admitted(task));
                    }
                };
        Op<Confirmed> confirm = new Op<>(
                Op.WhenAway.KEEP,
                (ledger, now) -> {
                    boolean isOpen =
                            ledger.row(task).filter(mirror.claims::isOpen).isPresent();
                    boolean isNew =
                            ledger.row(task).filter(Turns::isProvisional).isPresent();
                    // Nobody here waits any longer: given back, unless an earlier confirmation made it firm and told
                    // him.
                    boolean isHeld =
                            isOpen ? ledger.confirm(task, epoch, now) : isNew && ledger.release(task, epoch, now);
                    return new Confirmed(isOpen && isHeld, isNew);
                },
                run,
                null);
        confirm.answerLater().whenComplete((any, failure) -> {
            if (failure != null && hook != null) {
                hooks.remove(task, hook);
                engine.failClaim(task, failure);
            }
        });
        engine.enqueue(confirm);
    }

    /**
     * @param isHeld whether the grant is firm now
     * @param isNew false if it was already: then its hook ran in the transaction that made it so
     */
    private record Confirmed(boolean isHeld, boolean isNew) {}

    private static boolean isProvisional(Row row) {
        Grant grant = row.grant();
        return grant != null && grant.provisional();
    }

    private Admitted admitted(UUID task) {
        return mirror.read(ledger -> Claims.admitted(ledger.row(task).orElseThrow()));
    }
}
