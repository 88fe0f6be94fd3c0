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
import dev.sluice.admission.Ledger;
import dev.sluice.admission.Place;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderState;
import dev.sluice.admission.Row;
import dev.sluice.admission.Snapshot;
import dev.sluice.admission.TaskFilter;
import dev.sluice.admission.TaskView;
import dev.sluice.admission.Totals;
import dev.sluice.admission.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * The durable engine: exact over all processes that share a schema, and it survives their crashes. Decisions are made
 * by a {@code Ledger} in this process and committed in batches; callers are answered after the commit.
 */
public final class PostgresAdmission implements Admission {
    private final Mirror mirror;
    private final Engine engine;
    private final Turns turns;

    private PostgresAdmission(DataSource database, DataSource direct, Policies policies, Options options) {
        Map<UUID, AdmittedHook> hooks = new ConcurrentHashMap<>();
        mirror = new Mirror(policies, ask -> options.isFirm().test(ask) && !hooks.containsKey(ask.task()));
        engine = new Engine(mirror, database, direct, options, this::confirmLater);
        turns = new Turns(mirror, engine, hooks);
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

    /** The database's clock, to the microsecond; empty before it told the time for the first time. */
    public Optional<Instant> now() {
        return engine.clock();
    }

    /** Whether the database can be reached and the ledger is loaded. */
    public boolean isAvailable() {
        return engine.isConnected();
    }

    /** Comparisons made since the start. */
    long auditsMade() {
        return engine.drift().made();
    }

    boolean isClosed() {
        return engine.isClosed();
    }

    /** Returns once everything asked so far was decided, committed and told: for tests. */
    void settled() {
        engine.enqueue(Op.kept((ledger, now) -> true)).toCompletableFuture().join();
    }

    /**
     * Called after another process or a batch of this one made work for executors. It must not block: callers wait for
     * their answers behind it.
     */
    public void onWork(Runnable listener) {
        engine.onWork(listener);
    }

    @Override
    public Turn submit(Ask ask) {
        return turns.submit(ask);
    }

    /**
     * Submits a task whose admission must do more in the same transaction. The hook runs when the admission is
     * committed, now or later, once for each epoch; if it throws, that admission and no other is rolled back and both
     * stages fail with its exception. The hook lives in this process: after a restart the task is asked for again.
     */
    public Turn submit(Ask ask, AdmittedHook hook) {
        return turns.submit(ask, hook);
    }

    /**
     * Registers a task and runs the hook in the transaction that queues or admits it; if it throws, nothing was asked.
     */
    public Turn submit(Ask ask, QueuedHook hook) {
        return turns.submit(ask, hook);
    }

    @Override
    public Turn failOver(Ask ask, long epoch) {
        return turns.failOver(ask, epoch);
    }

    private void confirmLater(Row row) {
        turns.confirm(row);
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
    public Duration leaseLeft(UUID task, long epoch) {
        return mirror.read(ledger -> ledger.leaseLeft(task, epoch, engine.now()));
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
            mirror.heard(holder, now + mirror.waiterLease().toNanos());
            ledger.advance(now);
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
        Op<Boolean> op = new Op<>(Op.WhenAway.KEEP, decide, new Op.When<>(ended -> ended, hook), null);
        return engine.enqueue(op.sharingIf(hook instanceof RepeatableHook));
    }

    /** An admitted asynchronous task with most of a TTL before it. */
    public record Taken(Ask ask, Admitted admitted) {}

    /** What of a TTL may have gone by before a pick-up has to renew. */
    private static final int FRESH = 4;

    /**
     * For the executor that picked a job up: sees to it that three quarters of the TTL are left, and renews the leases
     * otherwise; empty if the task no longer holds them. The job was there under this epoch when it was picked up, which
     * proves the grant, so a fresh one needs no batch.
     */
    public CompletionStage<Optional<Taken>> take(UUID task, long epoch) {
        Optional<Taken> fresh = mirror.read(
                ledger -> ledger.row(task).filter(row -> isFresh(row, epoch)).map(this::taken));
        return fresh.isPresent() ? CompletableFuture.completedStage(fresh) : renewed(task, epoch);
    }

    private Taken taken(Row row) {
        return new Taken(row.ask(), Claims.admitted(row));
    }

    private boolean isFresh(Row row, long epoch) {
        Grant grant = row.grant();
        return grant != null
                && grant.epoch() == epoch
                && !grant.provisional()
                && grant.expiresAt() - engine.now() >= grant.ttl() - grant.ttl() / FRESH;
    }

    private CompletionStage<Optional<Taken>> renewed(UUID task, long epoch) {
        return engine.enqueue(Op.failing((ledger, now) ->
                ledger.renew(task, epoch, now) ? ledger.row(task).map(this::taken) : Optional.empty()));
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
    public Optional<Place> place(UUID task) {
        return mirror.read(ledger -> ledger.place(task, engine.now()));
    }

    @Override
    public List<TaskView> list(TaskFilter filter) {
        return mirror.read(ledger -> ledger.list(filter, engine.now()));
    }

    @Override
    public Totals totals() {
        return mirror.read(Ledger::totals);
    }

    @Override
    public void close() {
        engine.close();
    }
}
