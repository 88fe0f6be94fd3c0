package dev.sluice.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches for old snapshots in the ledger's database: while one is held, vacuum keeps every dead row that it might see,
 * and the ledger's small hot tables grow and slow down.
 */
final class HeldSnapshots {
    private static final Logger LOG = LoggerFactory.getLogger(HeldSnapshots.class);

    private final Duration warning;
    private volatile Duration oldest = Duration.ZERO;
    private boolean warned;

    HeldSnapshots(Duration warning) {
        this.warning = warning;
    }

    /** Age of the oldest at the last look; zero for none. Sessions of other roles show to pg_read_all_stats only. */
    Duration oldest() {
        return oldest;
    }

    void look(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("""
                        select extract(epoch from clock_timestamp() - min(since)), min(who) from (
                            select xact_start as since, format('session %s of %s', pid, usename) as who
                              from pg_stat_activity
                             where datname = current_database() and backend_xmin is not null
                               and backend_type = 'client backend' and pid <> pg_backend_pid()
                            union all
                            select prepared, format('prepared transaction %s', gid)
                              from pg_prepared_xacts where database = current_database()
                             order by since limit 1) held
                        """)) {
            result.next();
            double seconds = Math.max(0, result.getDouble(1));
            oldest = Duration.ofMillis((long) (seconds * 1_000));
            String who = result.getString(2);
            tell(who == null ? "nobody" : who);
        }
    }

    private void tell(String who) {
        boolean old = oldest.compareTo(warning) >= 0;
        if (old && !warned) {
            LOG.warn(
                    "a snapshot is held in the ledger's database for {} s already, by {}: until it ends, the ledger's"
                            + " tables grow and slow down",
                    oldest.toSeconds(),
                    who);
        } else if (!old && warned) {
            LOG.info("no old snapshot is held in the ledger's database any longer");
        }
        warned = old;
    }
}
