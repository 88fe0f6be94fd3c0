package dev.sluice.postgres.batches;

import dev.sluice.postgres.RowHook;
import dev.sluice.postgres.tasks.NewTask;
import dev.sluice.postgres.tasks.StoredTask.Answer;
import dev.sluice.postgres.tasks.StoredTask.Failure;
import dev.sluice.postgres.tasks.StoredTask.State;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** The tasks of batches, one for each line that was fed. */
public final class LineStore {
    private static final int PURGED_AT_ONCE = 500;
    private static final int PAGE_LINES = 200;
    private static final int PAGE_BYTES = 1 << 20;

    private final DataSource database;
    private final String schema;
    private final String feeder;
    private final FedLines feeding;

    /** @param feeder names this process among all that feed */
    public LineStore(DataSource database, String schema, String feeder) {
        this.database = database;
        this.schema = '"' + schema + '"';
        this.feeder = feeder;
        this.feeding = new FedLines(this, this.schema, feeder);
    }

    /**
     * Keeps the task of a line, in the transaction that queues it, together with all that are queued in the same batch of
     * the ledger. One that was taken back after an uncertain commit is replaced. Fails with {@link NotFedException} if it
     * must not be queued.
     */
    public RowHook<FedLine> feeding(FedLine line) {
        return new RowHook<>(feeding, line);
    }

    void insert(Connection transaction, FedLine line) throws SQLException, NotFedException {
        if (insert(transaction, line, Optional.empty()) == 0) {
            throw new NotFedException(isThere(transaction, line));
        }
    }

    /** Keeps a line that cannot be queued as one that failed. */
    public boolean insertFailed(FedLine line, Failure failure) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return insert(connection, line, Optional.of(failure)) == 1 || isThere(connection, line);
        }
    }

    private int insert(Connection connection, FedLine line, Optional<Failure> failure) throws SQLException {
        NewTask task = line.task();
        try (PreparedStatement insert = connection.prepareStatement("""
                insert into %1$s.task as t
                       (id, owner, model, path, priority, long_prompt, request, request_headers, batch, line, custom_id,
                        deadline, state, error_type, error_code, error_message, finished)
                select ?, ?, ?, ?, ?, ?, ?, ?, b.id, ?, ?, b.deadline, ?, ?, ?, ?,
                       case when ? then clock_timestamp() end
                  from %1$s.batch b where b.id = ? and b.feeder = ? and b.state = 'in_progress'
                on conflict (batch, line) where batch is not null do update
                   set id = excluded.id, state = excluded.state, finished = excluded.finished,
                       error_type = excluded.error_type, error_code = excluded.error_code,
                       error_message = excluded.error_message, request = excluded.request, attempts = 0, epoch = 0,
                       worker = null, created = clock_timestamp()
                 where t.state = 'cancelled'
                """.formatted(schema))) {
            insert.setObject(1, task.id());
            insert.setString(2, task.owner());
            insert.setString(3, task.model());
            insert.setString(4, task.path());
            insert.setInt(5, task.priority());
            insert.setBoolean(6, task.longPrompt());
            insert.setBytes(7, failure.isEmpty() ? task.request() : null);
            insert.setString(8, task.headers());
            insert.setInt(9, line.line());
            insert.setString(10, line.customId());
            insert.setString(11, failure.isEmpty() ? "queued" : "failed");
            insert.setString(12, failure.map(Failure::type).orElse(null));
            insert.setString(13, failure.map(Failure::code).orElse(null));
            insert.setString(14, failure.map(Failure::message).orElse(null));
            insert.setBoolean(15, failure.isPresent());
            insert.setObject(16, line.batch());
            insert.setString(17, feeder);
            return insert.executeUpdate();
        }
    }

    private boolean isThere(Connection connection, FedLine line) throws SQLException {
        try (PreparedStatement find = connection.prepareStatement(
                "select 1 from %s.task where batch = ? and line = ? and state <> 'cancelled'".formatted(schema))) {
            find.setObject(1, line.batch());
            find.setInt(2, line.line());
            try (ResultSet row = find.executeQuery()) {
                return row.next();
            }
        }
    }

    /** The lines after {@code line} that were fed. */
    public BitSet fedAfter(UUID batch, int line) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement find = connection.prepareStatement(
                        "select line from %s.task where batch = ? and line > ? and state <> 'cancelled'"
                                .formatted(schema))) {
            find.setObject(1, batch);
            find.setInt(2, line);
            BitSet fed = new BitSet();
            try (ResultSet row = find.executeQuery()) {
                while (row.next()) {
                    fed.set(row.getInt(1));
                }
            }
            return fed;
        }
    }

    /** How many lines up to {@code line} were fed: not all numbers are those of requests. */
    public int fedUpTo(UUID batch, int line) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement count = connection.prepareStatement(
                        "select count(*) from %s.task where batch = ? and line <= ?".formatted(schema))) {
            count.setObject(1, batch);
            count.setInt(2, line);
            try (ResultSet row = count.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    /** Lines that are in the ledger's queue. */
    public List<UUID> waiting(UUID batch) throws SQLException {
        return tasks("""
                select t.id from %1$s.task t join %1$s.waiting w on w.task = t.id
                 where t.batch = ? and t.finished is null
                """, batch);
    }

    /**
     * Ends what has not ended; those who wait must then leave the queue, those who run are stopped by their workers. Rows
     * that a decision of the ledger holds just now are left out, so that neither waits for the other: ask again.
     */
    public List<UUID> cancelOpen(UUID batch) throws SQLException {
        return tasks("""
                with ended as (
                    update %1$s.task
                       set state = 'cancelled', finished = clock_timestamp(), retry_at = null, request = null,
                           error_type = 'invalid_request_error', error_code = 'cancelled',
                           error_message = 'The task was cancelled.'
                     where id = any(array(
                        select id from %1$s.task where batch = ? and finished is null for update skip locked))
                    returning id),
                told as materialized (select pg_notify(%1$s.channel(), '*') from ended limit 1)
                select ended.id from ended left join told on true
                """, batch);
    }

    private List<UUID> tasks(String sql, UUID batch) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement find = connection.prepareStatement(sql.formatted(schema))) {
            find.setObject(1, batch);
            List<UUID> tasks = new ArrayList<>();
            try (ResultSet row = find.executeQuery()) {
                while (row.next()) {
                    tasks.add(row.getObject(1, UUID.class));
                }
            }
            return tasks;
        }
    }

    /** Some lines after {@code line} in their order, at most about 1 MiB; empty when there are no more. */
    public List<EndedLine> ended(UUID batch, int line) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement find = connection.prepareStatement("""
                        select line, id, custom_id, state, status, response_type, response, error_type, error_code,
                               error_message
                          from (select *, sum(coalesce(octet_length(response), 0)) over (order by line)
                                          - coalesce(octet_length(response), 0) as before
                                  from (select * from %s.task where batch = ? and line > ? and finished is not null
                                         order by line limit ?) next) sized
                         where before < ? order by line
                        """.formatted(schema))) {
            find.setObject(1, batch);
            find.setInt(2, line);
            find.setInt(3, PAGE_LINES);
            find.setInt(4, PAGE_BYTES);
            List<EndedLine> lines = new ArrayList<>();
            try (ResultSet row = find.executeQuery()) {
                while (row.next()) {
                    lines.add(read(row));
                }
            }
            return lines;
        }
    }

    private static EndedLine read(ResultSet row) throws SQLException {
        byte[] body = row.getBytes("response");
        String type = row.getString("response_type");
        String code = row.getString("error_code");
        return new EndedLine(
                row.getInt("line"),
                row.getObject("id", UUID.class),
                row.getString("custom_id"),
                State.valueOf(row.getString("state").toUpperCase(Locale.ROOT)),
                body == null || type == null
                        ? Optional.empty()
                        : Optional.of(new Answer(row.getInt("status"), type, body)),
                code == null
                        ? Optional.empty()
                        : Optional.of(new Failure(row.getString("error_type"), code, row.getString("error_message"))));
    }

    /** Deletes lines of batches that have ended, since their results are in files; false when none is left. */
    public boolean purge() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement delete = connection.prepareStatement("""
                        with ended as (
                            select id from %1$s.batch where not purged and finished is not null
                             order by finished limit 1 for update skip locked),
                        gone as (
                            delete from %1$s.task where id = any(array(
                                select t.id from %1$s.task t, ended where t.batch = ended.id limit %2$s))
                            returning 1),
                        done as (
                            update %1$s.batch b set purged = true
                              from ended where b.id = ended.id and (select count(*) from gone) < %2$s returning 1)
                        select count(*) from ended
                        """.formatted(schema, PURGED_AT_ONCE));
                ResultSet row = delete.executeQuery()) {
            row.next();
            return row.getInt(1) > 0;
        }
    }
}
