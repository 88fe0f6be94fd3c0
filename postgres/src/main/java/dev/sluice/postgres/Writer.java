package dev.sluice.postgres;

import dev.sluice.admission.Change;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.Grant;
import dev.sluice.admission.Ledger;
import dev.sluice.admission.ProviderState;
import dev.sluice.admission.Row;
import dev.sluice.admission.Totals;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides one batch after another and makes each durable before anybody is answered. Never two batches are in flight,
 * and a batch is written only if it rests on the newest revision: two holders never decide on different pasts.
 */
final class Writer {
    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);

    /** Batches that begin under the lock after one lost the race: the other holder is busy too. */
    private static final int LOCK_FIRST_BATCHES = 8;

    /** Heartbeats older than so many periods are no ground to take anybody for dead. */
    private static final int HEARD_TIMES = 3;

    private final Mirror mirror;
    private final DatabaseClock clock;
    private final Options options;
    private final Teller teller;
    private final Consumer<Op<?>> enqueue;
    private final Consumer<Row> toConfirm;
    private final Vacuum vacuum;

    private @Nullable Store store;
    private volatile long revision = -1;
    private int others;
    private int lockFirst;
    private volatile boolean isConnected;

    /**
     * @param enqueue adds an operation to a later batch
     * @param toConfirm is given the rows whose provisional grant waits for this process
     */
    Writer(
            Mirror mirror,
            DatabaseClock clock,
            Options options,
            Teller teller,
            Consumer<Op<?>> enqueue,
            Consumer<Row> toConfirm,
            Vacuum vacuum) {
        this.mirror = mirror;
        this.clock = clock;
        this.options = options;
        this.teller = teller;
        this.enqueue = enqueue;
        this.toConfirm = toConfirm;
        this.vacuum = vacuum;
    }

    boolean isConnected() {
        return isConnected;
    }

    long revision() {
        return revision;
    }

    /** Takes a new connection and begins again from the tables. */
    void connect(Store fresh) throws SQLException {
        store = fresh;
        revision = -1;
        lockedBatch(List.of());
        isConnected = true;
    }

    void disconnect() {
        isConnected = false;
        if (store != null) {
            store.close();
            store = null;
        }
    }

    /** Hears now who lives, between two batches. */
    void hear(Heartbeat heartbeat) throws SQLException {
        heartbeat.beat(store().connection(), revision);
    }

    private Store store() throws SQLException {
        if (store == null) {
            throw new SQLException("not connected");
        }
        return store;
    }

    /**
     * What was decided and not yet committed.
     *
     * @param byTime what time alone changed before the first operation
     * @param byOp the changes of each operation, so that claims are noted and answered in the order of the decisions
     */
    private record Tentative(
            List<Change> byTime, List<List<Change>> byOp, Totals before, Map<String, ProviderState> operated) {
        List<Change> changes() {
            List<Change> all = new ArrayList<>(byTime);
            byOp.forEach(all::addAll);
            return all;
        }
    }

    /**
     * Decides and commits a batch.
     *
     * @param mustAsk even if nothing changed: whether the past is still the newest
     */
    void batch(List<Op<?>> ops, boolean mustAsk) throws SQLException {
        if (lockFirst > 0 || ops.stream().anyMatch(op -> op.hook != null)) {
            lockFirst = Math.max(0, lockFirst - 1);
            lockedBatch(ops);
            return;
        }
        Tentative tentative = decide(ops);
        List<Change> changes = tentative.changes();
        if (ops.isEmpty() && changes.isEmpty() && !mustAsk) {
            return;
        }
        Store.Reply reply = append(tentative);
        if (reply.outcome() == Store.Outcome.OK) {
            committed(ops, tentative, reply);
            return;
        }
        undo(tentative);
        if (reply.outcome() == Store.Outcome.STALE) {
            lockFirst = LOCK_FIRST_BATCHES;
            if (!reply.lost()) {
                absorb(reply);
            }
        }
        lockedBatch(ops);
    }

    private Tentative decide(List<Op<?>> ops) {
        return mirror.read(ledger -> {
            Totals before = ledger.totals();
            // Nobody is judged by heartbeats older than this, even if the process was paused just now.
            long now = Math.min(
                    clock.now(),
                    mirror.heardAt() + HEARD_TIMES * options.heartbeat().toNanos());
            ledger.advance(now);
            List<Change> byTime = ledger.takeChanges();
            List<List<Change>> byOp = new ArrayList<>(ops.size());
            for (Op<?> op : ops) {
                op.decide(ledger, now);
                byOp.add(ledger.takeChanges());
            }
            Map<String, ProviderState> operated = new TreeMap<>();
            ops.forEach(op -> operated.putAll(op.operated));
            return new Tentative(byTime, byOp, before, operated);
        });
    }

    private void undo(Tentative tentative) {
        mirror.read(ledger -> {
            ledger.undo(tentative.changes(), tentative.before(), clock.now());
            return true;
        });
    }

    private Store.Reply append(Tentative tentative) throws SQLException {
        List<Change> changes = tentative.changes();
        Effects effects = Effects.of(changes, options.holder());
        boolean isEmpty = changes.isEmpty() && tentative.operated().isEmpty();
        String entry = isEmpty ? "" : others > 0 ? Journal.write(changes, tentative.operated()) : null;
        Store.Reply reply = store().append(revision, effects, entry);
        clock.observed(reply.micros());
        if (reply.outcome() == Store.Outcome.JOURNAL) {
            others = reply.others();
            reply = store().append(revision, effects, Journal.write(changes, tentative.operated()));
            clock.observed(reply.micros());
        }
        if (reply.outcome() == Store.Outcome.OK) {
            vacuum.removed(effects.waitingGone().size() + effects.activeGone().size());
        }
        return reply;
    }

    /** Takes the lock, catches up, decides and writes in one transaction: nobody can come between. */
    private void lockedBatch(List<Op<?>> ops) throws SQLException {
        catchUp();
        Tentative tentative = decide(ops);
        Store.Reply reply = append(tentative);
        while (reply.outcome() == Store.Outcome.ENDED) {
            undo(tentative);
            endTasks(reply.ended());
            tentative = decide(ops);
            reply = append(tentative);
        }
        if (reply.outcome() != Store.Outcome.OK) {
            throw new SQLException("the ledger moved under its lock: " + reply.outcome());
        }
        if (runHooks(ops, tentative)) {
            store().commit();
            committed(ops, tentative, reply);
        } else if (ops.size() > 1) {
            // One of them failed: each on its own, so that it takes back itself and no other.
            for (Op<?> op : ops) {
                lockedBatch(List.of(op));
            }
        }
    }

    private void catchUp() throws SQLException {
        Store.Reply missed = store().catchUp(revision);
        clock.observed(missed.micros());
        if (revision < 0 || missed.lost()) {
            reload(store().load(), missed.revision());
        } else {
            absorb(missed);
        }
    }

    /** Compares mirror, tables and journal under the lock, and begins again from the tables if they differ. */
    void audit(Audit audit) throws SQLException {
        catchUp();
        // First whatever is due is written, so that the mirror has decided nothing that the tables do not have.
        Tentative tentative = decide(List.of());
        Store.Reply reply = append(tentative);
        if (reply.outcome() != Store.Outcome.OK) {
            store().rollback();
            undo(tentative);
            return;
        }
        Store.Tables tables = store().load();
        List<String> differences = Audit.ofTables(store().connection(), options.schema());
        differences.addAll(mirror.read(ledger -> Audit.ofMirror(ledger.rows(), mirror.operated(), tables)));
        store().commit();
        committed(List.of(), tentative, reply);
        audit.found(differences);
        if (!differences.isEmpty()) {
            reload(tables, revision);
        }
    }

    /** Tasks that ended while their admission was decided leave the mirror before it decides again. */
    private void endTasks(List<UUID> ended) {
        enqueue.accept(Op.kept((ledger, now) -> {
            ended.forEach(task -> ledger.cancel(task, Eviction.CANCELLED, now));
            return true;
        }));
        mirror.read(ledger -> {
            ended.forEach(task -> ledger.cancel(task, Eviction.CANCELLED, clock.now()));
            return true;
        });
    }

    private boolean runHooks(List<Op<?>> ops, Tentative tentative) throws SQLException {
        for (Op<?> op : ops) {
            try {
                op.runHook(store().connection());
            } catch (Exception e) {
                store().rollback();
                undo(tentative);
                if (ops.size() == 1) {
                    op.fail(e);
                }
                return false;
            }
        }
        return true;
    }

    private void committed(List<Op<?>> ops, Tentative tentative, Store.Reply reply) {
        revision = reply.revision();
        others = reply.others();
        teller.tell(mirror.read(ledger -> {
            List<Runnable> told = new ArrayList<>(settle(ledger, tentative.byTime()));
            for (int i = 0; i < ops.size(); i++) {
                told.addAll(settle(ledger, tentative.byOp().get(i)));
                told.add(ops.get(i).committed());
            }
            return told;
        }));
    }

    private void absorb(Store.Reply missed) {
        if (!missed.missed().isEmpty()) {
            long now = clock.now();
            teller.tell(mirror.read(ledger -> settle(
                    ledger,
                    Journal.applyAll(
                            missed.missed(),
                            ledger,
                            now,
                            (provider, state) -> mirror.operate(provider, state, ledger, now)))));
        }
        revision = missed.revision();
    }

    private void reload(Store.Tables tables, long at) {
        long now = clock.now();
        mirror.reload(tables.rows().values(), tables.operated(), now);
        revision = at;
        LOG.debug("loaded {} rows at revision {}", tables.rows().size(), revision);
        teller.tell(mirror.read(ledger -> {
            ledger.rows().stream().filter(this::isToConfirm).forEach(toConfirm);
            return mirror.claims.reconcile(ledger::row, now);
        }));
    }

    private List<Runnable> settle(Ledger ledger, List<Change> changes) {
        List<Runnable> told = mirror.claims.settle(changes);
        for (Change change : changes) {
            Row after = change.after();
            if (after != null && isToConfirm(after)) {
                ledger.row(after.task()).filter(after::equals).ifPresent(toConfirm);
            }
        }
        return told;
    }

    private boolean isToConfirm(Row row) {
        Grant grant = row.grant();
        return grant != null
                && grant.provisional()
                && (mirror.claims.isOpen(row) || options.holder().equals(Effects.holder(row.ask())));
    }

    /** When something is due by time alone, in ledger nanoseconds. */
    long nextEvent() {
        return mirror.read(Ledger::nextEvent);
    }
}
