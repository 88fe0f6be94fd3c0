package dev.sluice.postgres;

import dev.sluice.admission.AdmissionUnavailableException;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.Grant;
import dev.sluice.admission.Ledger;
import dev.sluice.admission.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of one engine: one that writes, one that beats, one that listens for hints, one that answers, one that tidies. */
final class Engine {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
    private static final long RETRY_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long RETRY_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);
    private static final int FAILURES_MAX = 3;

    private final Op<Boolean> look = Op.failing((ledger, now) -> true);

    private final Mirror mirror;
    private final DataSource database;
    private final DataSource direct;
    private final Options options;
    private final DatabaseClock clock;
    private final Teller teller = new Teller();
    private final Inbox inbox = new Inbox();
    private final Gathering gathering;
    private final List<Runnable> onWork = new CopyOnWriteArrayList<>();
    private final Writer writer;
    private final Heartbeat heartbeat;
    private final Hints hints;
    private final Vacuum vacuum;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;
    private final Audit audit = new Audit();
    private final LinkedBlockingQueue<CompletableFuture<Integer>> audits = new LinkedBlockingQueue<>();
    private long auditAt;
    private boolean migrated;
    private volatile @Nullable Connection listening;
    private volatile @Nullable Throwable outage = new SQLException("the ledger is not loaded yet");

    /** @param direct for what a pooler in transaction mode cannot carry: migrations and hints */
    Engine(Mirror mirror, DataSource database, DataSource direct, Options options, Consumer<Row> toConfirm) {
        this.mirror = mirror;
        this.database = database;
        this.direct = direct;
        this.options = options;
        this.auditAt = options.monotonic().getAsLong() - options.audit().toNanos();
        this.gathering = new Gathering(inbox, options.monotonic());
        this.clock = new DatabaseClock(options.monotonic(), options.told());
        this.vacuum = new Vacuum(database, options.schema(), options.monotonic(), () -> closed);
        Answers answers = new Answers(mirror, teller, options.holder(), toConfirm, this::work);
        this.writer = new Writer(mirror, clock, options, answers, this::more, vacuum);
        this.heartbeat = new Heartbeat(database, options, mirror, clock, writer::revision, () -> closed);
        this.hints = new Hints(options.schema(), options.holder(), this::look, this::work);
    }

    void start() {
        threads.add(Thread.ofPlatform().name("sluice-ledger-writer").daemon().start(this::write));
        threads.add(Thread.ofPlatform().name("sluice-ledger-heartbeat").daemon().start(heartbeat::run));
        threads.add(Thread.ofPlatform().name("sluice-ledger-hints").daemon().start(this::listen));
        threads.add(Thread.ofPlatform().name("sluice-ledger-vacuum").daemon().start(vacuum::run));
    }

    /** Ends what other holders left behind. */
    int succeed(Ledger ledger, long now) {
        int ended = 0;
        for (Row row : ledger.rows()) {
            Grant grant = row.grant();
            boolean ours = options.holder().equals(Effects.holder(row.ask()));
            if (grant != null && !row.ask().isSync()) {
                ended += ledger.handBack(row.task(), grant.epoch(), now) ? 1 : 0;
            } else if (grant != null && !ours) {
                ended += ledger.release(row.task(), grant.epoch(), now) ? 1 : 0;
            } else if (row.ask().isSync() && !ours) {
                ended += ledger.cancel(row.task(), Eviction.WAITER_LOST, now) ? 1 : 0;
            }
        }
        return ended;
    }

    boolean isConnected() {
        return writer.isConnected();
    }

    boolean isClosed() {
        return closed;
    }

    long now() {
        return isConnected() || clock.isSet() ? clock.now() : 0;
    }

    Optional<Instant> clock() {
        return clock.isSet() ? Optional.of(Instant.EPOCH.plusNanos(clock.now())) : Optional.empty();
    }

    String schema() {
        return options.schema();
    }

    void onWork(Runnable listener) {
        onWork.add(listener);
    }

    private void work() {
        onWork.forEach(Runnable::run);
    }

    /** Adds an operation to the next batch. */
    <T> CompletionStage<T> enqueue(Op<T> op) {
        Throwable away = outage;
        if (closed) {
            op.fail(new AdmissionUnavailableException("the ledger is closed"));
        } else if (away != null && op.whenAway == Op.WhenAway.FAIL) {
            op.fail(unavailable(away));
        } else {
            inbox.add(op);
        }
        return op.answerLater();
    }

    /** Asks the writer to look at the journal now. */
    private void look() {
        if (outage == null && !inbox.contains(look)) {
            inbox.add(look);
        }
    }

    void failClaim(UUID task, Throwable cause) {
        teller.tell(mirror.read(ledger -> mirror.claims.fail(task, cause)));
        enqueue(Op.kept((ledger, now) -> ledger.cancel(task, Eviction.CANCELLED, now)));
    }

    private void write() {
        long retryNanos = RETRY_NANOS_MIN;
        while (!closed) {
            if (!writer.isConnected()) {
                if (reconnect()) {
                    retryNanos = RETRY_NANOS_MIN;
                } else {
                    timeOutClaims();
                    LockSupport.parkNanos(retryNanos);
                    retryNanos = Math.min(RETRY_NANOS_MAX, retryNanos * 2);
                }
                continue;
            }
            List<Op<?>> ops = List.of();
            try {
                ops = take();
                if (heartbeat.isStale()) {
                    writer.hear(heartbeat);
                }
                writer.batch(ops);
                gathering.answered(ops.size());
                ops = List.of();
                if (writer.isFoldDue()) {
                    writer.fold();
                }
                auditIfDue();
            } catch (SQLException e) {
                lost(ops, e, Outage.is(e));
            } catch (RuntimeException | Error e) {
                LOG.error("the ledger's writer failed; it starts again from the tables", e);
                lost(ops, e, false);
            }
        }
    }

    /** Compares mirror, tables and journal soon; the number of differences. */
    CompletionStage<Integer> audit() {
        CompletableFuture<Integer> asked = new CompletableFuture<>();
        audits.add(asked);
        look();
        return asked;
    }

    private void auditIfDue() throws SQLException {
        long now = options.monotonic().getAsLong();
        if (audits.isEmpty() && now - auditAt < options.audit().toNanos()) {
            return;
        }
        // Who asks while it is made, or because it was made, gets another.
        int asked = audits.size();
        if (writer.audit(audit)) {
            auditAt = now;
            for (; asked > 0; asked--) {
                audits.remove().complete(audit.last());
            }
        }
    }

    Audit drift() {
        return audit;
    }

    HeldSnapshots snapshots() {
        return heartbeat.snapshots();
    }

    /** Waits for operations, the next event, or the next poll, whatever comes first. */
    private List<Op<?>> take() {
        List<Op<?>> ops = new ArrayList<>();
        if (inbox.isEmpty()) {
            inbox.await(sleepNanos());
        }
        inbox.drain(ops, options.batchMax());
        gathering.fill(ops, options.batchMax());
        return ops;
    }

    private void more(List<Op<?>> ops) {
        if (!ops.isEmpty() && !ops.getFirst().isAlone()) {
            inbox.drain(ops, options.batchMax());
        }
    }

    private long sleepNanos() {
        long poll = options.poll().toNanos();
        poll += ThreadLocalRandom.current().nextLong(-poll / 5, poll / 5 + 1);
        long event = writer.nextEvent();
        long untilEvent = event == Long.MAX_VALUE ? poll : event - clock.now();
        return Math.max(0, Math.min(Math.min(poll, untilEvent), writer.untilFold()));
    }

    private boolean reconnect() {
        Connection connection = null;
        try {
            if (!migrated) {
                Migrations.apply(direct, options.schema());
                migrated = true;
            }
            connection = database.getConnection();
            Store store = new Store(connection, options.schema(), options.holder());
            // First the heartbeat: nobody may be taken for dead because nobody could be heard.
            heartbeat.beat(connection, -1);
            writer.connect(store);
            if (outage != null) {
                LOG.info("the ledger is connected to its database");
            }
            outage = null;
            return true;
        } catch (SQLException | RuntimeException e) {
            if (outage == null || !String.valueOf(outage.getMessage()).equals(e.getMessage())) {
                LOG.warn("{}; trying again", away(e));
            }
            outage = e;
            writer.disconnect();
            close(connection);
            return false;
        }
    }

    /**
     * It is unknown what was committed: begin again from the tables, and ask the operations again.
     *
     * @param isOutage false if the database refused something, or a bug showed: then the operations are tried one by
     *     one, and the one at fault fails alone
     */
    private void lost(List<Op<?>> ops, Throwable cause, boolean isOutage) {
        writer.disconnect();
        boolean back = !closed && reconnect();
        if (!back) {
            outage = cause;
        }
        if (!isOutage) {
            LOG.warn("a batch of the ledger failed: {}", cause.getMessage());
            if (ops.isEmpty()) {
                // Nothing that could be left out: whatever time brings about fails.
                LockSupport.parkNanos(RETRY_NANOS_MAX);
            }
        }
        for (Op<?> op : ops.reversed()) {
            if (!isOutage && ++op.failures >= FAILURES_MAX) {
                op.fail(cause);
            } else if (back || op.whenAway == Op.WhenAway.KEEP) {
                inbox.putBack(op);
            } else {
                giveUp(op, cause);
            }
        }
        if (!back) {
            failWaiting(cause);
        }
    }

    private void failWaiting(Throwable cause) {
        inbox.removeIf(op -> {
            boolean fails = op.whenAway == Op.WhenAway.FAIL;
            if (fails) {
                op.fail(unavailable(cause));
            }
            return fails;
        });
    }

    /** It may have been committed all the same, so its undoing is owed. */
    private void giveUp(Op<?> op, Throwable cause) {
        op.fail(unavailable(cause));
        if (op.undo != null) {
            inbox.add(op.undo);
        }
    }

    private void timeOutClaims() {
        if (!clock.isSet()) {
            return;
        }
        teller.tell(mirror.read(ledger -> mirror.claims.timeOut(
                clock.now(), (task, waiter) -> inbox.add(Turns.takingBack(task, waiter, Eviction.QUEUE_TIMEOUT)))));
    }

    private void listen() {
        while (!closed) {
            try (Connection connection = direct.getConnection()) {
                listening = connection;
                look();
                hints.listen(connection, () -> closed);
            } catch (SQLException | RuntimeException e) {
                LOG.debug("no hints: {}", e.getMessage());
                LockSupport.parkNanos(RETRY_NANOS_MAX);
            }
        }
    }

    void close() {
        closed = true;
        threads.forEach(LockSupport::unpark);
        // It reads from a socket, which no interrupt ends.
        close(listening);
        threads.forEach(Thread::interrupt);
        try {
            for (Thread thread : threads) {
                thread.join(TimeUnit.SECONDS.toMillis(5));
            }
            writer.leave();
            teller.tell(mirror.read(ledger -> mirror.claims.shutDown()));
            teller.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        inbox.forEach(op -> op.fail(new AdmissionUnavailableException("the ledger is closed")));
    }

    private static AdmissionUnavailableException unavailable(Throwable cause) {
        return new AdmissionUnavailableException(away(cause), cause);
    }

    private static String away(Throwable cause) {
        String why = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        return cause instanceof OtherVersionException ? why : "the ledger's database is away: " + why;
    }

    private static void close(@Nullable Connection connection) {
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                LOG.debug("closing a failed connection: {}", e.getMessage());
            }
        }
    }
}
