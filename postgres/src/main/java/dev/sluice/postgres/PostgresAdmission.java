package dev.sluice.postgres;

import dev.sluice.admission.Admission;
import dev.sluice.admission.AdmissionUnavailableException;
import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Claims;
import dev.sluice.admission.Decision;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.Explanation;
import dev.sluice.admission.Grant;
import dev.sluice.admission.Held;
import dev.sluice.admission.Outcome;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderState;
import dev.sluice.admission.Rejected;
import dev.sluice.admission.Row;
import dev.sluice.admission.Snapshot;
import dev.sluice.admission.TaskFilter;
import dev.sluice.admission.TaskView;
import dev.sluice.admission.Totals;
import dev.sluice.admission.Turn;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The durable engine: exact over all processes that share a schema, and it survives their crashes. Decisions are made
 * by a {@code Ledger} in this process and committed in batches; callers are answered after the commit.
 */
public final class PostgresAdmission implements Admission {
    private final Mirror mirror;
    private final Engine engine;
    private final Map<UUID, AdmittedHook> hooks = new ConcurrentHashMap<>();

    private PostgresAdmission(DataSource database, DataSource direct, Policies policies, Options options) {
        mirror = new Mirror(policies, ask -> options.isFirm().test(ask) && !hooks.containsKey(ask.task()));
        engine = new Engine(mirror, database, direct, options, this::confirmLater);
    }

    /** {@link #start(DataSource, DataSource, Policies, Options)} without a pooler. */
    public static PostgresAdmission start(DataSource direct, Policies policies, Options options) {
        return start(direct, direct, policies, options);
    }

    /**
     * Starts the engine's threads. It serves as soon as the database can be reached and its schema was brought to this
     * version; until then submits fail with {@link AdmissionUnavailableException}.
     *
     * @param database opens new connections, perhaps through a pooler in transaction mode; then without prepared
     *     statements on the server
     * @param direct opens connections for hints and migrations, which need a session of their own
     */
    public static PostgresAdmission start(DataSource database, DataSource direct, Policies policies, Options options) {
        PostgresAdmission admission = new PostgresAdmission(database, direct, policies, options);
        admission.engine.start();
        return admission;
    }

    /** Differences between mirror, tables and journal that the last comparison found: 0, or there is a bug. */
    public long drift() {
        return engine.drift().last();
    }

    /** {@link #drift()}, added up since the start. */
    public long driftTotal() {
        return engine.drift().total();
    }

    /**
     * Age of the oldest snapshot that somebody holds in the ledger's database; zero for none. While it is held, the
     * tables grow. Snapshots of other roles are seen only with the rights of pg_read_all_stats.
     */
    public Duration oldestSnapshot() {
        return engine.snapshots().oldest();
    }

    /** Compares mirror, tables and journal now, and begins again from the tables if they differ. */
    CompletionStage<Integer> audit() {
        return engine.audit();
    }

    /** Whether the database can be reached and the ledger is loaded. */
    public boolean isAvailable() {
        return engine.isConnected();
    }

    boolean isClosed() {
        return engine.isClosed();
    }

    /** Returns once everything asked so far was decided, committed and told: for tests. */
    void settled() {
        engine.enqueue(Op.kept((ledger, now) -> true)).toCompletableFuture().join();
    }

    /** Called after another process or a batch of this one made work for executors. */
    public void onWork(Runnable listener) {
        engine.onWork(listener);
    }

    @Override
    public Turn submit(Ask ask) {
        return claim(ask, (ledger, now) -> ledger.submit(ask, now), null);
    }

    /**
     * Submits a task whose admission must do more in the same transaction. The hook runs when the admission is
     * committed, now or later, once for each epoch; if it throws, that admission and no other is rolled back and both
     * stages fail with its exception. The hook lives in this process: after a restart the task is asked for again.
     */
    public Turn submit(Ask ask, AdmittedHook hook) {
        hooks.put(ask.task(), hook);
        Turn turn = claim(ask, (ledger, now) -> ledger.submit(ask, now), null);
        turn.decision().whenComplete((decision, failure) -> {
            if (decision instanceof Rejected || failure != null) {
                hooks.remove(ask.task(), hook);
            }
        });
        turn.outcome().whenComplete((outcome, failure) -> hooks.remove(ask.task(), hook));
        return turn;
    }

    /**
     * Registers a task and runs the hook in the transaction that queues or admits it; if it throws, nothing was asked.
     */
    public Turn submit(Ask ask, QueuedHook hook) {
        return claim(ask, (ledger, now) -> ledger.submit(ask, now), (connection, decided) -> {
            // Asked again after an uncertain commit, the task is there and so is what the hook did.
            if (decided.isNew() && !(decided.decision() instanceof Rejected)) {
                hook.run(connection);
            }
        });
    }

    @Override
    public Turn failOver(Ask ask, long epoch) {
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
                null);
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

    private Turn claim(Ask ask, Op.Decide<Decision> decide, Op.@Nullable Hook<Decided> hook) {
        if (engine.isClosed()) {
            return Claims.ended(Rejected.shuttingDown(ask));
        }
        Op<?> undo = Op.kept((ledger, now) -> ledger.cancel(ask.task(), Eviction.CANCELLED, now));
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

    private static <T> void complete(CompletableFuture<T> future, T value, @Nullable Throwable failure) {
        if (failure != null) {
            future.completeExceptionally(failure);
        } else {
            future.complete(value);
        }
    }

    /** A provisional grant for somebody here is made firm before he is told, and given back if he has gone. */
    private void confirmLater(Row row) {
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
                    boolean isNew = ledger.row(task)
                            .filter(PostgresAdmission::isProvisional)
                            .isPresent();
                    boolean isHeld = isOpen ? ledger.confirm(task, epoch, now) : ledger.release(task, epoch, now);
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

    @Override
    public CompletionStage<Boolean> confirm(UUID task, long epoch) {
        return engine.enqueue(Op.kept((ledger, now) -> ledger.confirm(task, epoch, now)));
    }

    @Override
    public CompletionStage<Boolean> release(UUID task, long epoch) {
        return engine.enqueue(Op.kept((ledger, now) -> ledger.release(task, epoch, now)));
    }

    @Override
    public CompletionStage<Boolean> renew(UUID task, long epoch) {
        return engine.enqueue(Op.failing((ledger, now) -> ledger.renew(task, epoch, now)));
    }

    @Override
    public CompletionStage<List<Held>> renew(Collection<Held> held) {
        List<Held> all = List.copyOf(held);
        return engine.enqueue(Op.failing((ledger, now) -> all.stream()
                .filter(one -> !ledger.renew(one.task(), one.epoch(), now))
                .toList()));
    }

    @Override
    public CompletionStage<Boolean> renewWaiter(UUID task, String waiter) {
        return engine.enqueue(Op.failing((ledger, now) -> ledger.renewWaiter(task, waiter, now)));
    }

    @Override
    public CompletionStage<Boolean> renewHolder(String holder) {
        return engine.enqueue(Op.failing((ledger, now) -> {
            ledger.renewHolder(holder, now);
            return true;
        }));
    }

    @Override
    public CompletionStage<Boolean> detach(UUID task, String waiter) {
        return engine.enqueue(Op.kept((ledger, now) -> ledger.detach(task, waiter, now)));
    }

    @Override
    public CompletionStage<Optional<Decision>> rebind(Ask ask) {
        return engine.enqueue(Op.failing((ledger, now) -> ledger.rebind(ask, now)));
    }

    @Override
    public CompletionStage<Boolean> cancel(UUID task, Eviction reason) {
        return engine.enqueue(Op.kept((ledger, now) -> ledger.cancel(task, reason, now)));
    }

    @Override
    public CompletionStage<Boolean> evict(UUID task, Eviction reason) {
        return engine.enqueue(Op.kept((ledger, now) -> ledger.evict(task, reason, now)));
    }

    @Override
    public CompletionStage<Boolean> handBack(UUID task, long epoch) {
        return engine.enqueue(Op.kept((ledger, now) -> ledger.handBack(task, epoch, now)));
    }

    /**
     * Gives an admitted task back and runs the hook in the same transaction, if the epoch is the current one; if the hook
     * throws, nothing was done and the stage fails with its exception.
     */
    public CompletionStage<Boolean> handBack(UUID task, long epoch, QueuedHook hook) {
        return ending((ledger, now) -> ledger.handBack(task, epoch, now), hook);
    }

    /** Releases a task and runs the hook in the same transaction, under the same terms. */
    public CompletionStage<Boolean> release(UUID task, long epoch, QueuedHook hook) {
        return ending((ledger, now) -> ledger.release(task, epoch, now), hook);
    }

    private CompletionStage<Boolean> ending(Op.Decide<Boolean> decide, QueuedHook hook) {
        return engine.enqueue(new Op<>(
                Op.WhenAway.KEEP,
                decide,
                (connection, ended) -> {
                    if (ended) {
                        hook.run(connection);
                    }
                },
                null));
    }

    /** An admitted asynchronous task with a whole TTL before it. */
    public record Taken(Ask ask, Admitted admitted) {}

    /** Renews the leases of a task for the executor that picked its job up; empty if it no longer holds them. */
    public CompletionStage<Optional<Taken>> take(UUID task, long epoch) {
        return engine.enqueue(Op.failing((ledger, now) -> ledger.renew(task, epoch, now)
                ? ledger.row(task).map(row -> new Taken(row.ask(), Claims.admitted(row)))
                : Optional.empty()));
    }

    /**
     * Ends what other holders hold and wait for: only for a caller who knows that every other process on this database is
     * dead. Asynchronous tasks go back to the queue, the slots of synchronous ones are free.
     *
     * @return how many tasks
     */
    public CompletionStage<Integer> succeed() {
        return engine.enqueue(Op.kept(engine::succeed));
    }

    @Override
    public CompletionStage<Boolean> changePriority(UUID task, int priority) {
        return engine.enqueue(Op.failing((ledger, now) -> ledger.changePriority(task, priority, now)));
    }

    @Override
    public CompletionStage<Boolean> configure(Policies policies) {
        return engine.enqueue(Op.kept((ledger, now) -> {
            mirror.configure(policies, ledger, now);
            return true;
        }));
    }

    @Override
    public CompletionStage<Boolean> providerUp(String provider, boolean up) {
        return engine.enqueue(Op.kept((ledger, now) -> {
            mirror.providerUp(provider, up, ledger, now);
            return true;
        }));
    }

    @Override
    public CompletionStage<Boolean> operate(String provider, ProviderState state) {
        return engine.enqueue(new Op<>(
                Op.WhenAway.KEEP,
                (ledger, now) -> {
                    mirror.operate(provider, state, ledger, now);
                    return true;
                },
                (connection, any) -> Store.operate(connection, engine.schema(), provider, state),
                null,
                Map.of(provider, state)));
    }

    /** Of this process's mirror, which may be a poll behind the others. */
    @Override
    public Snapshot snapshot() {
        return mirror.read(ledger -> ledger.snapshot(engine.now()));
    }

    @Override
    public Optional<Explanation> explain(UUID task) {
        return mirror.read(ledger -> ledger.explain(task, engine.now()));
    }

    @Override
    public List<TaskView> list(TaskFilter filter) {
        return mirror.read(ledger -> ledger.list(filter, engine.now()));
    }

    @Override
    public Totals totals() {
        return mirror.read(dev.sluice.admission.Ledger::totals);
    }

    @Override
    public void close() {
        engine.close();
    }
}
