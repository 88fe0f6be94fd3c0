package dev.sluice.postgres;

import dev.sluice.admission.AdmissionUnavailableException;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.Grant;
import dev.sluice.admission.Ledger;
import dev.sluice.admission.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of one engine: one that writes, one that beats, one that listens for hints, one that answers. */
final class Engine {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
    private static final long RETRY_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);
    private final Op<Boolean> look = Op.failing((ledger, now) -> true);

    private final Mirror mirror;
    private final DataSource database;
    private final Options options;
    private final DatabaseClock clock;
    private final Teller teller = new Teller();
    private final LinkedBlockingDeque<Op<?>> queue = new LinkedBlockingDeque<>();
    private final List<Runnable> onWork = new CopyOnWriteArrayList<>();
    private final Writer writer;
    private final Heartbeat heartbeat;
    private final Hints hints;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;
    private boolean migrated;
    private volatile @Nullable Connection listening;
    private volatile @Nullable Throwable outage = new SQLException("the ledger is not loaded yet");

    Engine(Mirror mirror, DataSource database, Options options, Consumer<Row> toConfirm) {
        this.mirror = mirror;
        this.database = database;
        this.options = options;
        this.clock = new DatabaseClock(options.monotonic(), options.told());
        this.writer = new Writer(mirror, clock, options, teller, this::enqueue, toConfirm);
        this.heartbeat = new Heartbeat(options.schema(), options.holder(), mirror.waiterLease());
        this.hints = new Hints(options.schema(), options.holder(), this::look, () -> onWork.forEach(Runnable::run));
    }

    void start() {
        threads.add(Thread.ofPlatform().name("sluice-ledger-writer").daemon().start(this::write));
        threads.add(Thread.ofPlatform().name("sluice-ledger-heartbeat").daemon().start(this::beat));
        threads.add(Thread.ofPlatform().name("sluice-ledger-hints").daemon().start(this::listen));
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

    void onWork(Runnable listener) {
        onWork.add(listener);
    }

    /** Adds an operation to the next batch. */
    <T> CompletionStage<T> enqueue(Op<T> op) {
        Throwable away = outage;
        if (closed) {
            op.fail(new AdmissionUnavailableException("the ledger is closed"));
        } else if (away != null && op.whenAway == Op.WhenAway.FAIL) {
            op.fail(unavailable(away));
        } else {
            queue.add(op);
        }
        return op.answerLater();
    }

    /** Asks the writer to look at the journal now. */
    private void look() {
        if (outage == null && !queue.contains(look)) {
            queue.add(look);
        }
    }

    void failClaim(UUID task, Throwable cause) {
        teller.tell(mirror.read(ledger -> mirror.claims.fail(task, cause)));
        enqueue(Op.kept((ledger, now) -> ledger.cancel(task, Eviction.CANCELLED, now)));
    }

    private void write() {
        long retryNanos = TimeUnit.MILLISECONDS.toNanos(50);
        while (!closed) {
            if (!writer.isConnected()) {
                if (reconnect()) {
                    retryNanos = TimeUnit.MILLISECONDS.toNanos(50);
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
                writer.batch(ops, true);
            } catch (SQLException e) {
                lost(ops, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException | Error e) {
                LOG.error("the ledger's writer failed; it starts again from the tables", e);
                lost(ops, e);
            }
        }
    }

    /** Waits for operations, the next event, or the next poll, whatever comes first. */
    private List<Op<?>> take() throws InterruptedException {
        List<Op<?>> ops = new ArrayList<>();
        Op<?> first = queue.poll();
        if (first == null) {
            first = queue.poll(sleepNanos(), TimeUnit.NANOSECONDS);
        }
        if (first == null) {
            return ops;
        }
        ops.add(first);
        while (first.hook == null && ops.size() < options.batchMax()) {
            Op<?> next = queue.peek();
            if (next == null || next.hook != null) {
                break;
            }
            ops.add(queue.remove());
        }
        return ops;
    }

    private long sleepNanos() {
        long poll = options.poll().toNanos();
        poll += ThreadLocalRandom.current().nextLong(-poll / 5, poll / 5 + 1);
        long event = writer.nextEvent();
        long untilEvent = event == Long.MAX_VALUE ? poll : event - clock.now();
        return Math.max(0, Math.min(poll, untilEvent));
    }

    private boolean reconnect() {
        try {
            if (!migrated) {
                Migrations.apply(database, options.schema());
                migrated = true;
            }
            Connection connection = database.getConnection();
            Store store = new Store(connection, options.schema(), options.holder());
            // First the heartbeat: nobody may be taken for dead because nobody could be heard.
            hear(heartbeat.beat(connection, -1), true);
            writer.connect(store);
            if (outage != null) {
                LOG.info("the ledger is connected to its database");
            }
            outage = null;
            return true;
        } catch (SQLException | RuntimeException e) {
            if (outage == null || !String.valueOf(outage.getMessage()).equals(e.getMessage())) {
                LOG.warn("the ledger's database is away, trying again: {}", e.getMessage());
            }
            outage = e;
            writer.disconnect();
            return false;
        }
    }

    /** It is unknown what was committed: begin again from the tables, and ask the operations again. */
    private void lost(List<Op<?>> ops, Throwable cause) {
        writer.disconnect();
        boolean back = !closed && reconnect();
        if (!back) {
            outage = cause;
        }
        for (Op<?> op : ops.reversed()) {
            if (back || op.whenAway == Op.WhenAway.KEEP) {
                queue.addFirst(op);
            } else {
                giveUp(op, cause);
            }
        }
        if (!back) {
            failWaiting(cause);
        }
    }

    private void failWaiting(Throwable cause) {
        queue.removeIf(op -> {
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
            queue.add(op.undo);
        }
    }

    private void timeOutClaims() {
        if (!clock.isSet()) {
            return;
        }
        teller.tell(mirror.read(ledger -> mirror.claims.timeOut(
                clock.now(), task -> queue.add(Op.kept((any, now) -> any.cancel(task, Eviction.QUEUE_TIMEOUT, now))))));
    }

    private void beat() {
        Connection connection = null;
        while (!closed) {
            LockSupport.parkNanos(options.heartbeat().toNanos());
            try {
                if (connection == null) {
                    connection = database.getConnection();
                }
                hear(heartbeat.beat(connection, writer.revision()), false);
            } catch (SQLException | RuntimeException e) {
                LOG.debug("no heartbeat: {}", e.getMessage());
                close(connection);
                connection = null;
            }
        }
        try {
            if (connection == null) {
                connection = database.getConnection();
            }
            heartbeat.leave(connection);
        } catch (SQLException e) {
            LOG.debug("could not sign off: {}", e.getMessage());
        }
        close(connection);
    }

    /**
     * Notes who lives.
     *
     * @param grace after an outage nobody could be heard, so everybody gets a full lease
     */
    private void hear(Map<String, Long> living, boolean grace) {
        Op<Boolean> heard = Op.kept((ledger, now) -> {
            long full = now + mirror.waiterLease().toNanos();
            living.forEach((holder, micros) -> {
                long until = options.told().applyAsLong(micros) * 1_000;
                mirror.heard(holder, grace ? Math.max(until, full) : until, ledger);
            });
            return true;
        });
        if (grace) {
            queue.addFirst(heard);
        } else {
            enqueue(heard);
        }
    }

    private void listen() {
        while (!closed) {
            try (Connection connection = database.getConnection()) {
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
            writer.disconnect();
            teller.tell(mirror.read(ledger -> mirror.claims.shutDown()));
            teller.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        queue.forEach(op -> op.fail(new AdmissionUnavailableException("the ledger is closed")));
    }

    private static AdmissionUnavailableException unavailable(Throwable cause) {
        return new AdmissionUnavailableException("the ledger's database is away: " + cause.getMessage(), cause);
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
