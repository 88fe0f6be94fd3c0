package dev.sluice.postgres.deadletters;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import javax.sql.DataSource;

/** Dead letters as operators see them; lines of batches are in their batch's error file instead. Every method blocks. */
public final class DeadLetterStore {
    private final DataSource database;
    private final String schema;

    /** @param database may be a pooler in transaction mode */
    public DeadLetterStore(DataSource database, String schema) {
        this.database = database;
        this.schema = '"' + schema + '"';
    }

    /** What became of the order to try one again. */
    public enum Retry {
        DONE,
        UNKNOWN,
        /** It waits, runs, succeeded or was cancelled. */
        NOT_FAILED,
        /** What was asked is deleted already. */
        NOT_KEPT
    }

    /**
     * How many there are.
     *
     * @param tasks that failed
     * @param webhooks messages that were given up
     */
    public record Counts(long tasks, long webhooks) {}

    /** The newest first. */
    public List<DeadLetter> list(Optional<String> group, int most) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement list = connection.prepareStatement("""
                        (select id, id as task, null as webhook, owner, model, error_code, error_message, status,
                                attempts, finished as at, request is not null as kept
                           from %1$s.task
                          where state = 'failed' and finished is not null and error_code is not null and batch is null
                            and (?::text is null or owner = ?)
                          order by finished desc limit ?)
                        union all
                        (select d.id, d.task, d.webhook, d.owner, t.model, d.code, d.message, d.status,
                                d.attempts, d.gave_up, true
                           from %1$s.webhook_delivery d left join %1$s.task t on t.id = d.task
                          where d.gave_up is not null and (?::text is null or d.owner = ?)
                          order by d.gave_up desc limit ?)
                        order by at desc limit ?
                        """.formatted(schema))) {
            String owner = group.orElse(null);
            list.setString(1, owner);
            list.setString(2, owner);
            list.setInt(3, most);
            list.setString(4, owner);
            list.setString(5, owner);
            list.setInt(6, most);
            list.setInt(7, most);
            List<DeadLetter> found = new ArrayList<>();
            try (ResultSet row = list.executeQuery()) {
                while (row.next()) {
                    found.add(read(row));
                }
            }
            return found;
        }
    }

    private static DeadLetter read(ResultSet row) throws SQLException {
        int status = row.getInt(8);
        OptionalInt answered = row.wasNull() ? OptionalInt.empty() : OptionalInt.of(status);
        return new DeadLetter(
                row.getObject(1, UUID.class),
                row.getObject(2, UUID.class),
                Optional.ofNullable(row.getString(3)),
                row.getString(4),
                Optional.ofNullable(row.getString(5)),
                row.getString(6),
                row.getString(7),
                answered,
                row.getInt(9),
                row.getObject(10, OffsetDateTime.class).toInstant(),
                row.getBoolean(11));
    }

    /** Lines a task up as if it were new, or lets a message be delivered at once. */
    public Retry retry(UUID id) throws SQLException {
        try (Connection connection = database.getConnection()) {
            boolean again = changes(connection, id, """
                    update %s.task
                       set state = 'queued', attempts = 0, tried = '{}', worker = null, started = null, finished = null,
                           error_type = null, error_code = null, error_message = null,
                           status = null, response_type = null, response = null,
                           revived = clock_timestamp(), retry_at = clock_timestamp()
                     where id = ? and state = 'failed' and batch is null and request is not null
                    """) || changes(connection, id, """
                    update %s.webhook_delivery set attempts = 0, gave_up = null, due = clock_timestamp()
                     where id = ? and gave_up is not null
                    """);
            return again ? Retry.DONE : reason(connection, id);
        }
    }

    private boolean changes(Connection connection, UUID id, String update) throws SQLException {
        try (PreparedStatement change = connection.prepareStatement(update.formatted(schema))) {
            change.setObject(1, id);
            return change.executeUpdate() == 1;
        }
    }

    private Retry reason(Connection connection, UUID id) throws SQLException {
        try (PreparedStatement find = connection.prepareStatement("""
                select state = 'failed' from %1$s.task where id = ? and batch is null
                union all select false from %1$s.webhook_delivery where id = ?
                """.formatted(schema))) {
            find.setObject(1, id);
            find.setObject(2, id);
            try (ResultSet row = find.executeQuery()) {
                if (!row.next()) {
                    return Retry.UNKNOWN;
                }
                return row.getBoolean(1) ? Retry.NOT_KEPT : Retry.NOT_FAILED;
            }
        }
    }

    public Counts counts() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement count = connection.prepareStatement("""
                        select (select count(*) from %1$s.task
                                 where state = 'failed' and finished is not null and error_code is not null
                                   and batch is null),
                               (select count(*) from %1$s.webhook_delivery where gave_up is not null)
                        """.formatted(schema));
                ResultSet row = count.executeQuery()) {
            row.next();
            return new Counts(row.getLong(1), row.getLong(2));
        }
    }
}
