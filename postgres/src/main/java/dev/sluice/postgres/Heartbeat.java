package dev.sluice.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this holder heard, and its mirror informed of who else lives. It has a connection and a thread of its own, so
 * that a busy or blocked writer cannot keep it from being heard.
 */
final class Heartbeat {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final DataSource database;
    private final Options options;
    private final Mirror mirror;
    private final DatabaseClock clock;
    private final LongSupplier revision;
    private final BooleanSupplier closed;
    private final Holders holders;
    private final HeldSnapshots snapshots;

    /** @param revision the newest that the mirror has applied */
    Heartbeat(
            DataSource database,
            Options options,
            Mirror mirror,
            DatabaseClock clock,
            LongSupplier revision,
            BooleanSupplier closed) {
        this.database = database;
        this.options = options;
        this.mirror = mirror;
        this.clock = clock;
        this.revision = revision;
        this.closed = closed;
        this.holders = new Holders(options.schema(), options.holder(), mirror.waiterLease());
        this.snapshots = new HeldSnapshots(options.snapshotWarning());
    }

    HeldSnapshots snapshots() {
        return snapshots;
    }

    void run() {
        Connection connection = null;
        while (!closed.getAsBoolean()) {
            LockSupport.parkNanos(options.heartbeat().toNanos());
            try {
                if (connection == null) {
                    connection = database.getConnection();
                }
                beat(connection, revision.getAsLong());
                snapshots.look(connection);
            } catch (SQLException | RuntimeException e) {
                LOG.debug("no heartbeat: {}", e.getMessage());
                close(connection);
                connection = null;
            }
        }
        leave(connection);
    }

    /** One beat, and what follows from it for the mirror. */
    void beat(Connection connection, long applied) throws SQLException {
        Holders.Heard heard = holders.beat(connection, applied);
        clock.observed(heard.at());
        long now = clock.now();
        boolean outage = now - mirror.heardAt() > mirror.waiterLease().toNanos() / 2;
        // Nobody may be taken for dead because nobody could be heard: after an outage everybody gets a full lease.
        long atLeast = outage ? now + mirror.waiterLease().toNanos() : Long.MIN_VALUE;
        for (Map.Entry<String, Long> one : heard.until().entrySet()) {
            long until = options.told().applyAsLong(one.getValue()) * 1_000;
            mirror.heard(one.getKey(), Math.max(until, atLeast));
        }
        mirror.heardAll(now);
    }

    /**
     * Whether what is known of the other holders is so old, after a pause of this process for example, that nobody may
     * be judged by it.
     */
    boolean isStale() {
        return clock.now() - mirror.heardAt() > 2 * options.heartbeat().toNanos();
    }

    private void leave(@Nullable Connection connection) {
        Connection last = connection;
        try {
            if (last == null) {
                last = database.getConnection();
            }
            holders.leave(last);
        } catch (SQLException e) {
            LOG.debug("could not sign off: {}", e.getMessage());
        }
        close(last);
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
