package dev.sluice.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the ledger's small tables small. Every cycle leaves dead rows, thousands a second under load, and the server's
 * own vacuum comes once a minute: by then a table of a few live rows fills the cache and every batch pays for it.
 */
final class Vacuum {
    private static final Logger LOG = LoggerFactory.getLogger(Vacuum.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final long REMOVED_MIN = 5_000;

    /** Of the time at most one part in so many, even while a held snapshot makes every pass long and vain. */
    private static final int SHARE = 20;

    private final DataSource database;
    private final String schema;
    private final LongSupplier monotonic;
    private final BooleanSupplier closed;
    private final AtomicLong removed = new AtomicLong();

    Vacuum(DataSource database, String schema, LongSupplier monotonic, BooleanSupplier closed) {
        this.database = database;
        this.schema = '"' + schema + '"';
        this.monotonic = monotonic;
        this.closed = closed;
    }

    /** A batch left dead rows behind. */
    void removed(int rows) {
        removed.addAndGet(rows);
    }

    void run() {
        long pause = LOOK.toNanos();
        while (!closed.getAsBoolean()) {
            LockSupport.parkNanos(pause);
            pause = LOOK.toNanos();
            if (removed.get() >= REMOVED_MIN && !closed.getAsBoolean()) {
                removed.set(0);
                long start = monotonic.getAsLong();
                pass();
                pause = Math.max(pause, (monotonic.getAsLong() - start) * SHARE);
            }
        }
    }

    private void pass() {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            // Another replica may be at it just now; and giving space back would lock everybody out for a moment.
            statement.execute("vacuum (skip_locked, truncate false) %1$s.active, %1$s.waiting, %1$s.journal, %1$s.job"
                    .formatted(schema));
        } catch (SQLException e) {
            LOG.debug("no vacuum: {}", e.getMessage());
        }
    }
}
