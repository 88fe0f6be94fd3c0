package dev.sluice.postgres.responses;

import dev.sluice.postgres.RowHook;
import dev.sluice.postgres.tasks.NewTask;
import dev.sluice.postgres.tasks.TaskRow;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Responses as their clients see them. Every method blocks and takes a connection for the time of one statement. */
public final class ResponseStore {
    private static final int PURGED_AT_ONCE = 200;
    private static final String SELECT = """
            select r.id as response_id, r.task, r.streamed, r.body,
                   t.id, t.owner, t.state, t.attempts, t.created, t.started, t.finished, t.error_type,
                   t.error_code, t.error_message, t.status, t.response_type, t.response
              from %1$s.response r left join %1$s.task t on t.id = r.task
            """;

    private final DataSource database;
    private final String schema;

    /** @param database may be a pooler in transaction mode */
    public ResponseStore(DataSource database, String schema) {
        this.database = database;
        this.schema = '"' + schema + '"';
    }

    /** Keeps a finished response. An id that its owner's upstream gives twice stands for the newer answer. */
    public void keep(NewResponse response) throws SQLException {
        try (Connection connection = database.getConnection()) {
            write(connection, response, """
                    on conflict (owner, id) do update
                       set body = excluded.body, input = excluded.input, items = excluded.items,
                           created = excluded.created
                     where response.task is null
                    """);
        }
    }

    /** Keeps what is shown of a response in the background and its task, in the transaction that queues that. */
    public RowHook<?> keeping(RowHook<NewTask> task, NewResponse response) {
        return new RowHook<>(
                new MadeResponses(task.rows(), this, schema), new MadeResponses.Made(task.row(), response));
    }

    /** Keeps what is shown of a response in the background, in the transaction that keeps its task. */
    public void insert(Connection transaction, NewResponse response) throws SQLException {
        write(transaction, response, "");
    }

    private void write(Connection connection, NewResponse response, String onConflict) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into %s.response (owner, id, task, streamed, body, input, items)".formatted(schema)
                        + " values (?, ?, ?, ?, ?, ?, ?) " + onConflict)) {
            insert.setString(1, response.owner());
            insert.setString(2, response.id());
            insert.setObject(3, response.task().orElse(null));
            insert.setBoolean(4, response.streamed());
            insert.setBytes(5, response.body());
            insert.setBytes(6, response.input());
            insert.setArray(7, texts(connection, response.items()));
            insert.executeUpdate();
        }
    }

    /** Says which items the answer has that a task made of a response. */
    public void answered(UUID task, List<String> items) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement update = connection.prepareStatement(
                        "update %s.response set items = ? where task = ?".formatted(schema))) {
            update.setArray(1, texts(connection, items));
            update.setObject(2, task);
            update.executeUpdate();
        }
    }

    private static Array texts(Connection connection, List<String> texts) throws SQLException {
        return connection.createArrayOf("text", texts.toArray());
    }

    public Optional<StoredResponse> find(String owner, String id) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement find =
                        connection.prepareStatement(SELECT.formatted(schema) + " where r.owner = ? and r.id = ?")) {
            find.setString(1, owner);
            find.setString(2, id);
            try (ResultSet row = find.executeQuery()) {
                return row.next() ? Optional.of(read(row)) : Optional.empty();
            }
        }
    }

    /** Of each of these items the newest response whose answer has it, each response once, the newest first. */
    public List<StoredResponse> holding(String owner, Collection<String> items) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement find =
                        connection.prepareStatement(SELECT.formatted(schema) + """
                         where r.owner = ? and r.id in (
                            select (select h.id from %s.response h
                                     where h.owner = ? and h.items @> array[asked.item]
                                     order by h.created desc limit 1)
                              from unnest(?) as asked(item))
                         order by r.created desc
                        """.formatted(schema))) {
            find.setString(1, owner);
            find.setString(2, owner);
            find.setArray(3, texts(connection, List.copyOf(items)));
            List<StoredResponse> found = new ArrayList<>();
            try (ResultSet row = find.executeQuery()) {
                while (row.next()) {
                    found.add(read(row));
                }
            }
            return found;
        }
    }

    private static StoredResponse read(ResultSet row) throws SQLException {
        return new StoredResponse(
                row.getString("response_id"),
                row.getObject("task", UUID.class) == null ? Optional.empty() : Optional.of(TaskRow.read(row)),
                row.getBoolean("streamed"),
                row.getBytes("body"));
    }

    /** The items that a response is an answer to. */
    public Optional<byte[]> input(String owner, String id) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement find = connection.prepareStatement(
                        "select input from %s.response where owner = ? and id = ?".formatted(schema))) {
            find.setString(1, owner);
            find.setString(2, id);
            try (ResultSet row = find.executeQuery()) {
                return row.next() ? Optional.of(row.getBytes(1)) : Optional.empty();
            }
        }
    }

    /** The response that {@code task} makes, without that task. */
    public Optional<StoredResponse> madeBy(UUID task) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement find = connection.prepareStatement(
                        "select id, streamed, body from %s.response where task = ?".formatted(schema))) {
            find.setObject(1, task);
            try (ResultSet row = find.executeQuery()) {
                return row.next()
                        ? Optional.of(new StoredResponse(
                                row.getString(1), Optional.empty(), row.getBoolean(2), row.getBytes(3)))
                        : Optional.empty();
            }
        }
    }

    /** Deletes a response with its events. */
    public boolean delete(String owner, String id) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement delete = connection.prepareStatement(
                        "delete from %s.response where owner = ? and id = ?".formatted(schema))) {
            delete.setString(1, owner);
            delete.setString(2, id);
            return delete.executeUpdate() == 1;
        }
    }

    /**
     * Deletes some responses that no task makes and that are older than {@code retention}; how many. Zero when none is
     * left. The others go with their tasks.
     */
    public int purgeOlder(Duration retention) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement delete = connection.prepareStatement("""
                        delete from %1$s.response where ctid = any(array(
                            select ctid from %1$s.response
                             where task is null and created < clock_timestamp() - ? * interval '1 millisecond'
                             order by created limit %2$s for update skip locked))
                        """.formatted(schema, PURGED_AT_ONCE))) {
            delete.setLong(1, retention.toMillis());
            return delete.executeUpdate();
        }
    }
}
