package dev.sluice.postgres.batches;

import dev.sluice.postgres.batches.StoredBatch.Counts;
import dev.sluice.postgres.batches.StoredBatch.State;
import dev.sluice.postgres.files.FileStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Who feeds a batch. One process does, by a lease; whatever it writes is written only while it is the one, so a process
 * that was frozen and returns changes nothing.
 */
public final class BatchLeases {
    private static final String LEASE = "10 seconds";

    private final DataSource database;
    private final String schema;
    private final String feeder;

    /** @param feeder names this process among all that feed */
    public BatchLeases(DataSource database, String schema, String feeder) {
        this.database = database;
        this.schema = '"' + schema + '"';
        this.feeder = feeder;
    }

    /** Takes batches that nobody feeds: first those of owners of whom the fewest are fed, then the oldest. */
    public List<Lot> claim(int most) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement claim =
                        connection.prepareStatement("""
                        update %1$s.batch b set feeder = ?, feeder_until = clock_timestamp() + interval '%2$s'
                         where id = any(array(
                            select id from %1$s.batch f
                             where finished is null and (feeder is null or feeder_until < clock_timestamp())
                             order by (select count(*) from %1$s.batch o
                                        where o.owner = f.owner and o.finished is null and o.feeder is not null),
                                      created
                             limit ? for update skip locked))
                        returning %3$s, b.fed_line, b.fed_bytes
                        """.formatted(schema, LEASE, BatchRows.COLUMNS))) {
            claim.setString(1, feeder);
            claim.setInt(2, most);
            List<Lot> lots = new ArrayList<>();
            try (ResultSet row = claim.executeQuery()) {
                while (row.next()) {
                    lots.add(new Lot(BatchRows.read(row), row.getInt("fed_line"), row.getLong("fed_bytes")));
                }
            }
            return lots;
        }
    }

    /** A batch that is still this process's. */
    public record Renewed(State state, boolean isOverdue) {}

    /** Keeps batches for another while; those that are not in the answer are somebody else's, or have ended. */
    public Map<UUID, Renewed> renew(Collection<UUID> batches) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement renew = connection.prepareStatement("""
                        update %s.batch set feeder_until = clock_timestamp() + interval '%s'
                         where id = any(?) and feeder = ? and finished is null
                        returning id, state, deadline <= clock_timestamp()
                        """.formatted(schema, LEASE))) {
            renew.setArray(1, connection.createArrayOf("uuid", batches.toArray()));
            renew.setString(2, feeder);
            Map<UUID, Renewed> renewed = new HashMap<>();
            try (ResultSet row = renew.executeQuery()) {
                while (row.next()) {
                    renewed.put(
                            row.getObject(1, UUID.class),
                            new Renewed(BatchRows.state(row.getString(2)), row.getBoolean(3)));
                }
            }
            return renewed;
        }
    }

    /** Gives up all that this process feeds, so that another one need not wait for its leases to lapse. */
    public void giveUp() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement give = connection.prepareStatement("""
                        update %s.batch set feeder = null, feeder_until = null where feeder = ? and finished is null
                        """.formatted(schema))) {
            give.setString(1, feeder);
            give.executeUpdate();
        }
    }

    /** Ends everybody's leases: only for a caller who knows that every other process on this database is dead. */
    public void succeed() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement end = connection.prepareStatement(
                        "update %s.batch set feeder = null, feeder_until = null where feeder is not null"
                                .formatted(schema))) {
            end.executeUpdate();
        }
    }

    /** The input is good: its lines may be fed. */
    public boolean begin(UUID batch, int total) throws SQLException {
        return change(batch, "state = 'in_progress', started = clock_timestamp(), total = " + total, "validating");
    }

    /** @param errors JSON: why the input is refused */
    public boolean refuse(UUID batch, String errors) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement refuse = connection.prepareStatement("""
                        update %s.batch set state = 'failed', finished = clock_timestamp(), errors = ?
                         where id = ? and feeder = ? and state = 'validating'
                        """.formatted(schema))) {
            refuse.setString(1, errors);
            refuse.setObject(2, batch);
            refuse.setString(3, feeder);
            return refuse.executeUpdate() == 1;
        }
    }

    /** No further line is fed. */
    public boolean finalizing(UUID batch) throws SQLException {
        return change(batch, "state = 'finalizing', finalizing = clock_timestamp()", "in_progress");
    }

    private boolean change(UUID batch, String what, String from) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement change = connection.prepareStatement(
                        "update %s.batch set %s where id = ? and feeder = ? and state = '%s'"
                                .formatted(schema, what, from))) {
            change.setObject(1, batch);
            change.setString(2, feeder);
            return change.executeUpdate() == 1;
        }
    }

    /**
     * Notes how far the batch is. To be called while nothing is being fed.
     *
     * @param fedLine all lines up to this one were fed
     * @param fedBytes where the next one begins
     * @param fed how many lines were fed in all
     * @return how many of them have not ended; empty if the batch is somebody else's
     */
    public Optional<Integer> progress(UUID batch, int fedLine, long fedBytes, int fed) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement note = connection.prepareStatement("""
                        update %1$s.batch b
                           set fed_line = ?, fed_bytes = ?, failed = f.lines,
                               completed = greatest(b.completed, ? - o.lines - f.lines)
                          from (select count(*)::int as lines from %1$s.task
                                 where batch = ? and finished is null) o,
                               (select count(*)::int as lines from %1$s.task
                                 where batch = ? and finished is not null and error_code is not null) f
                         where b.id = ? and b.feeder = ? and b.finished is null
                        returning o.lines
                        """.formatted(schema))) {
            note.setInt(1, fedLine);
            note.setLong(2, fedBytes);
            note.setInt(3, fed);
            note.setObject(4, batch);
            note.setObject(5, batch);
            note.setObject(6, batch);
            note.setString(7, feeder);
            try (ResultSet row = note.executeQuery()) {
                return row.next() ? Optional.of(row.getInt(1)) : Optional.empty();
            }
        }
    }

    /**
     * Ends a batch and shows its files, in one transaction.
     *
     * @param files completes what was written
     * @param life of the files
     * @return false, and nothing is done, if it is somebody else's
     */
    public boolean finish(
            UUID batch,
            State state,
            Counts counts,
            FileStore files,
            @Nullable UUID output,
            @Nullable UUID errors,
            Duration life)
            throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                boolean mine = finish(connection, batch, state, counts, output, errors);
                for (UUID file : new @Nullable UUID[] {output, errors}) {
                    if (mine && file != null) {
                        mine = files.complete(connection, file, life).isPresent();
                    }
                }
                if (mine) {
                    connection.commit();
                } else {
                    connection.rollback();
                }
                return mine;
            } catch (SQLException e) {
                connection.rollback();
                throw e;
            }
        }
    }

    private boolean finish(
            Connection connection, UUID batch, State state, Counts counts, @Nullable UUID output, @Nullable UUID errors)
            throws SQLException {
        try (PreparedStatement finish = connection.prepareStatement("""
                update %s.batch
                   set state = ?, total = ?, completed = ?, failed = ?, output = ?, errors_file = ?,
                       finished = clock_timestamp()
                 where id = ? and feeder = ? and finished is null
                """.formatted(schema))) {
            finish.setString(1, BatchRows.word(state));
            finish.setInt(2, counts.total());
            finish.setInt(3, counts.completed());
            finish.setInt(4, counts.failed());
            finish.setObject(5, output);
            finish.setObject(6, errors);
            finish.setObject(7, batch);
            finish.setString(8, feeder);
            return finish.executeUpdate() == 1;
        }
    }
}
