package dev.sluice.postgres;

import dev.sluice.admission.Change;
import dev.sluice.admission.Ledger;
import dev.sluice.admission.Row;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides one batch after another and makes each durable before anybody is answered. Never two batches are in flight,
 * and a batch is written only if it rests on the newest entry: two holders never decide on different pasts. Another's
 * entry may be seen before it is on disk; nobody is told of it, or of what rests on it, until it is.
 */
final class Writer {
    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);

    /** Batches that begin under the lock after another holder was met: he is busy too. */
    private static final int LOCK_FIRST_BATCHES = 8;

    /** A server that answers nothing must not hold up the end. */
    private static final int LEAVE_MILLIS = 2_000;

    private final Mirror mirror;
    private final DatabaseClock clock;
    private final Options options;
    private final Answers answers;
    private final Consumer<List<Op<?>>> more;
    private final Vacuum vacuum;
    private final Decisions decisions;
    private final Unfolded unfolded = new Unfolded();

    private @Nullable Store store;
    private final SplittableRandom marks = new SplittableRandom(new SecureRandom().nextLong());
    private volatile Past past = Past.NONE;

    private boolean sawUnflushed; // another's entries, of which nobody knows yet that they are on disk
    private int lockFirst;
    private volatile boolean isConnected;

    /** @param more adds operations to a batch that had to wait for the lock */
    Writer(
            Mirror mirror,
            DatabaseClock clock,
            Options options,
            Answers answers,
            Consumer<List<Op<?>>> more,
            Vacuum vacuum) {
        this.mirror = mirror;
        this.clock = clock;
        this.options = options;
        this.answers = answers;
        this.more = more;
        this.vacuum = vacuum;
        this.decisions = new Decisions(mirror, clock, options);
    }

    boolean isConnected() {
        return isConnected;
    }

    long revision() {
        return past.revision();
    }

    void connect(Store fresh) throws SQLException {
        store = fresh;
        past = Past.NONE;
        lockedBatch(List.of(), false, List.of());
        isConnected = true;
    }

    void disconnect() {
        isConnected = false;
        answers.forget();
        if (store != null) {
            store.close();
            store = null;
        }
    }

    /** Brings the tables up to date if that is possible, so that others read them in one piece, and disconnects. */
    void leave() {
        if (isConnected) {
            try {
                store().connection().setNetworkTimeout(Runnable::run, LEAVE_MILLIS);
                fold();
            } catch (SQLException | RuntimeException e) {
                LOG.debug("the tables stay behind the journal: {}", e.getMessage());
            }
        }
        disconnect();
    }

    void hear(Heartbeat heartbeat) throws SQLException {
        heartbeat.beat(store().connection(), past.revision());
    }

    private Store store() throws SQLException {
        if (store == null) {
            throw new SQLException("not connected");
        }
        return store;
    }

    /**
     * Decides and commits a batch, and asks whether the past is still the newest if there is nothing to write.
     *
     * @param ops may grow while the batch waits for its turn
     */
    void batch(List<Op<?>> ops) throws SQLException {
        if (lockFirst > 0 || Op.anyOwnHook(ops)) {
            lockedBatch(ops, true, List.of());
            return;
        }
        Tentative tentative = decisions.decide(ops, List.of());
        Store.Reply reply = appendOrApart(ops, tentative, Calls.of(ops), false);
        if (reply == null) {
            return;
        }
        switch (reply.outcome()) {
            case OK -> committed(ops, tentative, reply);
            case ENDED -> {
                decisions.undo(tentative);
                lockedBatch(ops, false, reply.ended());
            }
            case STALE -> {
                decisions.undo(tentative);
                if (!reply.lost()) {
                    absorb(reply);
                }
                lockedBatch(ops, true, List.of());
            }
        }
    }

    private Store.Reply append(Tentative tentative, Calls calls, boolean commits) throws SQLException {
        List<Change> changes = tentative.changes();
        String entry = tentative.isEmpty() ? "" : Journal.write(changes, options.holder(), tentative.operated());
        for (Change change : changes) {
            Unfolded.check(change.after(), options.holder());
        }
        long next = marks.nextLong();
        Store.Reply reply = commits
                ? store().appendAndCommit(past, next, tentative.effects(), calls, entry)
                : store().append(past, next, tentative.effects(), calls, entry);
        clock.observed(reply.micros());
        return reply;
    }

    /**
     * Takes the lock, catches up, decides and writes in one transaction: nobody can come between.
     *
     * @param joins whether those join who asked while it waited for the lock
     * @param ended tasks that must leave the ledger first, because they ended while their admission was decided
     */
    private void lockedBatch(List<Op<?>> ops, boolean joins, List<UUID> ended) throws SQLException {
        catchUp();
        if (joins) {
            more.accept(ops);
        }
        Set<UUID> gone = new LinkedHashSet<>(ended);
        while (!decidedLocked(ops, gone)) {
            catchUp();
        }
    }

    /** @param gone grows by tasks that have ended, if the answer is false: then all must be decided again without them */
    private boolean decidedLocked(List<Op<?>> ops, Set<UUID> gone) throws SQLException {
        Tentative tentative = decisions.decide(ops, gone);
        // One alone says best by itself what it fails of.
        Calls calls = ops.size() == 1 ? Calls.NONE : Calls.of(ops);
        boolean hooks = Op.anyOwnHook(ops) || (ops.size() == 1 && ops.getFirst().hook != null);
        Store.Reply reply = appendOrApart(ops, tentative, calls, !hooks);
        if (reply == null) {
            return true;
        }
        if (reply.outcome() == Store.Outcome.ENDED) {
            if (hooks) {
                store().rollback();
            }
            decisions.undo(tentative);
            // Beside those named before: the room that one leaves goes to the next, which may have ended too.
            if (!gone.addAll(reply.ended())) {
                throw new SQLException("tasks that have ended were admitted again: " + reply.ended());
            }
            return false;
        } else if (reply.outcome() != Store.Outcome.OK) {
            throw new SQLException("the ledger moved under its lock: " + reply.outcome());
        } else if (!hooks) {
            committed(ops, tentative, reply);
        } else if (runHooks(ops, tentative)) {
            store().commit();
            committed(ops, tentative, reply);
        } else if (ops.size() > 1) {
            apart(ops);
        } else {
            pay(false);
        }
        return true;
    }

    /** Null if a call of hooks was refused and the operations were therefore done apart. */
    private Store.@Nullable Reply appendOrApart(List<Op<?>> ops, Tentative tentative, Calls calls, boolean commits)
            throws SQLException {
        try {
            return append(tentative, calls, commits);
        } catch (SQLException e) {
            if (calls.isNone() || Outage.is(e)) {
                throw e;
            }
            store().rollback();
            decisions.undo(tentative);
            apart(ops);
            return null;
        }
    }

    /** One of them failed: in halves, until it takes back itself and no other. */
    private void apart(List<Op<?>> ops) throws SQLException {
        int half = ops.size() / 2;
        for (List<Op<?>> part : List.of(ops.subList(0, half), ops.subList(half, ops.size()))) {
            if (!part.isEmpty()) {
                lockedBatch(part, false, List.of());
            }
        }
    }

    /** Tells what others decided, once it is on disk: if we {@code wrote} since, our commit has waited for theirs. */
    private void pay(boolean wrote) throws SQLException {
        if (sawUnflushed && !wrote) {
            store().flush();
        }
        sawUnflushed = false;
        answers.pay();
    }

    boolean isFoldDue() {
        return unfolded.isDue(options.monotonic().getAsLong());
    }

    long untilFold() {
        return unfolded.untilDue(options.monotonic().getAsLong());
    }

    /** Brings the tables up to the journal, unless another holder just has. */
    void fold() throws SQLException {
        catchUp();
        Tentative due = writeDue();
        if (due != null) {
            foldLocked();
            store().commit();
            pay(false);
            answers.tell(List.of(), due);
        }
    }

    /**
     * Writes what time has brought about, or a reload decided, so that under the lock the mirror has decided nothing that
     * is not written. Null if that needs a batch; the lock is given back then.
     */
    private @Nullable Tentative writeDue() throws SQLException {
        Tentative due = decisions.decide(List.of(), List.of());
        if (due.changes().isEmpty()) {
            return due;
        }
        Store.Reply reply = append(due, Calls.NONE, false);
        if (reply.outcome() == Store.Outcome.OK) {
            note(due, reply);
            return due;
        }
        store().rollback();
        decisions.undo(due);
        pay(false);
        return null;
    }

    private void foldLocked() throws SQLException {
        if (!unfolded.isEmpty()) {
            Unfolded.Fold fold = unfolded.fold();
            past = store().fold(past, marks.nextLong(), fold);
            unfolded.clear();
            vacuum.removed(fold.replaced());
        }
    }

    private void catchUp() throws SQLException {
        Store.Reply missed = store().catchUp(past);
        clock.observed(missed.micros());
        lockFirst = missed.newest().equals(past) ? Math.max(0, lockFirst - 1) : LOCK_FIRST_BATCHES;
        if (past.isNone() || missed.lost()) {
            reload(store().load(), missed.newest());
        } else {
            absorb(missed);
        }
    }

    /**
     * Compares mirror, tables and journal under the lock, and begins again from the tables if they differ. False if it
     * must be asked again, after a batch.
     */
    boolean audit(Audit audit) throws SQLException {
        catchUp();
        Tentative due = writeDue();
        if (due == null) {
            return false;
        }
        foldLocked();
        Store.Tables tables = store().load();
        List<String> differences = Audit.ofTables(store().connection(), options.schema());
        differences.addAll(mirror.read(ledger -> Audit.ofMirror(ledger.rows(), mirror.operated(), tables)));
        store().commit();
        pay(false);
        answers.tell(List.of(), due);
        audit.found(differences);
        if (!differences.isEmpty()) {
            past = Past.NONE;
            lockedBatch(List.of(), false, List.of());
        }
        return true;
    }

    private boolean runHooks(List<Op<?>> ops, Tentative tentative) throws SQLException {
        for (Op<?> op : ops) {
            try {
                op.runHook(store().connection(), ops.size() == 1);
            } catch (Exception e) {
                store().rollback();
                decisions.undo(tentative);
                if (ops.size() == 1) {
                    op.fail(e);
                }
                return false;
            }
        }
        return true;
    }

    private void committed(List<Op<?>> ops, Tentative tentative, Store.Reply reply) throws SQLException {
        note(tentative, reply);
        pay(!tentative.isEmpty());
        answers.tell(ops, tentative);
    }

    private void note(Tentative tentative, Store.Reply reply) {
        if (!tentative.isEmpty()) {
            past = reply.newest();
            unfolded.add(tentative.changes(), options.monotonic().getAsLong());
            // Its pick-up has left a dead version of each job beside the last one.
            vacuum.removed(1 + 2 * tentative.effects().jobsGone().size());
        }
    }

    private void absorb(Store.Reply missed) {
        long now = clock.now();
        for (String entry : missed.missed()) {
            sawUnflushed = true;
            if (Journal.isFold(entry)) {
                unfolded.clear();
            } else {
                List<Change> changes = mirror.read(ledger ->
                        Journal.apply(entry, ledger, now, (provider, state) -> mirror.follow(provider, state, ledger)));
                unfolded.add(changes, options.monotonic().getAsLong());
                answers.owe(changes);
            }
        }
        past = missed.newest();
    }

    private void reload(Store.Tables tables, Past at) {
        long now = clock.now();
        unfolded.clear();
        sawUnflushed = true;
        Map<UUID, Row> rows = new HashMap<>(tables.rows());
        for (String entry : tables.entries()) {
            unfolded.add(Journal.replay(entry, rows), options.monotonic().getAsLong());
        }
        mirror.reload(rows.values(), tables.operated(), now);
        past = at;
        answers.oweAll(rows, now);
    }

    long nextEvent() {
        return mirror.read(Ledger::nextEvent);
    }
}
