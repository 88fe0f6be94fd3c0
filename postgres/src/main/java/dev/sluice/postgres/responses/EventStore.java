package dev.sluice.postgres.responses;

import dev.sluice.postgres.tasks.Job;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The events of responses that are made in the background. Only whoever holds a task's newest grant may add to them, so
 * a number once given keeps its content: an attempt that lost its task cannot write any more, and the next one goes on
 * behind what is there.
 */
public final class EventStore {
    /** The first two say that the response was created and is queued; they follow from the response itself. */
    public static final long FIRST = 2;

    private static final int ROWS_AT_ONCE = 4;

    private final DataSource database;
    private final String schema;

    /** @param database may be a pooler in transaction mode */
    public EventStore(DataSource database, String schema) {
        this.database = database;
        this.schema = '"' + schema + '"';
    }

    /** Events in a row, as they are sent: each ends with an empty line. */
    public record Events(long first, int count, byte[] bytes) {}

    /** The number of the next event of a task. */
    public long next(UUID task) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement find = connection.prepareStatement(
                        "select first + count from %s.response_event where task = ? order by first desc limit 1"
                                .formatted(schema))) {
            find.setObject(1, task);
            try (ResultSet row = find.executeQuery()) {
                return row.next() ? row.getLong(1) : FIRST;
            }
        }
    }

    /**
     * Adds to the events of a task that {@code worker} executes.
     *
     * @return false if the job is no longer its, or the response was deleted: then nothing was added
     */
    public boolean append(Job job, String worker, Events events) throws SQLException {
        try (Connection connection = database.getConnection();
                // The lock lets a new attempt begin only when this is committed, and then it sees these events.
                PreparedStatement append = connection.prepareStatement("""
                        with held as (
                            select id from %1$s.task
                             where id = ? and epoch = ? and worker = ? and state = 'running' for share)
                        insert into %1$s.response_event (task, first, count, events)
                        select r.task, ?, ?, ? from held join %1$s.response r on r.task = held.id
                        """.formatted(schema))) {
            append.setObject(1, job.task());
            append.setLong(2, job.epoch());
            append.setString(3, worker);
            append.setLong(4, events.first());
            append.setInt(5, events.count());
            append.setBytes(6, events.bytes());
            return append.executeUpdate() == 1;
        }
    }

    /** Where somebody reads on: at the event number {@code next} of a task. */
    public record Mark(UUID task, long next) {}

    /** Some events from each mark on, in order and in the order of the marks; the first row may begin before it. */
    public List<List<Events>> from(List<Mark> marks) throws SQLException {
        List<List<Events>> found = new ArrayList<>();
        marks.forEach(mark -> found.add(new ArrayList<>()));
        if (marks.isEmpty()) {
            return found;
        }
        try (Connection connection = database.getConnection();
                PreparedStatement find = connection.prepareStatement("""
                        select f.place, e.first, e.count, e.events
                          from unnest(?, ?) with ordinality as f(task, next, place)
                         cross join lateral (
                            select first, count, events from %1$s.response_event r
                             where r.task = f.task and r.first + r.count > f.next
                               and r.first >= coalesce((select max(b.first) from %1$s.response_event b
                                                         where b.task = f.task and b.first <= f.next), 0)
                             order by r.first limit %2$s) e
                         order by f.place, e.first
                        """.formatted(schema, ROWS_AT_ONCE))) {
            find.setArray(
                    1,
                    connection.createArrayOf(
                            "uuid", marks.stream().map(Mark::task).toArray()));
            find.setArray(
                    2,
                    connection.createArrayOf(
                            "bigint", marks.stream().map(Mark::next).toArray()));
            try (ResultSet row = find.executeQuery()) {
                while (row.next()) {
                    found.get(row.getInt(1) - 1).add(new Events(row.getLong(2), row.getInt(3), row.getBytes(4)));
                }
            }
        }
        return found;
    }
}
