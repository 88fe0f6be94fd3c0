package dev.sluice.postgres.tasks;

import dev.sluice.postgres.RowHook;
import dev.sluice.postgres.tasks.StoredTask.Answer;
import dev.sluice.postgres.tasks.StoredTask.Failure;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Tasks as those see them who execute them. Lock order: the ledger's lock, then tasks, then jobs; what runs outside of a
 * ledger's transaction locks rows of one table only, or passes over those that somebody holds.
 */
public final class JobStore {
    private final DataSource database;
    private final String schema;
    private final String worker;
    private final Finishing finishing;

    /** @param worker names this process among all that execute */
    public JobStore(DataSource database, String schema, String worker) {
        this.database = database;
        this.schema = '"' + schema + '"';
        this.worker = worker;
        this.finishing = new Finishing(this.schema, worker);
    }

    /**
     * What was picked up.
     *
     * @param ended epochs of tasks that ended before they could start, by task: their leases must be released
     */
    public record Picked(List<Job> jobs, Map<UUID, Long> ended) {}

    /**
     * Picks up jobs that nobody has, oldest grant first, and those of this process that it has lost sight of.
     *
     * @param running what it executes now
     */
    public Picked pick(Collection<UUID> running, int most) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement pick =
                        connection.prepareStatement("select * from %s.pick_jobs(?, ?, ?)".formatted(schema))) {
            pick.setString(1, worker);
            pick.setArray(
                    2,
                    connection.createArrayOf(
                            "text", running.stream().map(UUID::toString).toArray()));
            pick.setInt(3, most);
            List<Job> jobs = new ArrayList<>();
            Map<UUID, Long> ended = new TreeMap<>();
            try (ResultSet row = pick.executeQuery()) {
                while (row.next()) {
                    UUID task = row.getObject(1, UUID.class);
                    if (row.getString(3) == null) {
                        ended.put(task, row.getLong(2));
                    } else {
                        jobs.add(job(task, row));
                    }
                }
            }
            return new Picked(jobs, ended);
        }
    }

    private static Job job(UUID task, ResultSet row) throws SQLException {
        return new Job(
                task,
                row.getLong(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getInt(6),
                row.getBytes(7),
                row.getString(8),
                texts(row.getArray(9)));
    }

    /** Those of {@code running} that were ended by somebody else, and perhaps deleted since. */
    public Set<UUID> cancelled(Collection<UUID> running) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement find = connection.prepareStatement(
                        "select id from %s.task where id = any(?) and state in ('queued', 'running')"
                                .formatted(schema))) {
            find.setArray(1, uuids(connection, running));
            Set<UUID> cancelled = new HashSet<>(running);
            try (ResultSet row = find.executeQuery()) {
                while (row.next()) {
                    cancelled.remove(row.getObject(1, UUID.class));
                }
            }
            return cancelled;
        }
    }

    /** Brings a large answer to the database beforehand, so that the ledger's transaction stays short. */
    public void stage(Job job, Answer answer) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement stage = connection.prepareStatement(
                        "update %s.task set response = ? where %s".formatted(schema, HELD))) {
            stage.setBytes(1, answer.body());
            held(stage, 2, job);
            stage.executeUpdate();
        }
    }

    private static final String HELD = "id = ? and epoch = ? and worker = ? and state = 'running'";

    private void held(PreparedStatement statement, int at, Job job) throws SQLException {
        statement.setObject(at, job.task());
        statement.setLong(at + 1, job.epoch());
        statement.setString(at + 2, worker);
    }

    /**
     * Ends a task, in the transaction that releases its leases and together with all that end in it.
     *
     * @param failure empty if it succeeded
     * @param answer empty if there is none to keep
     * @param staged whether the answer's body is in the database already
     */
    public RowHook<?> finishing(Job job, Optional<Failure> failure, Optional<Answer> answer, boolean staged) {
        return new RowHook<>(finishing, new Finishing.End(job, failure, answer, staged));
    }

    /** Takes a task out of the queue until its next attempt, in the transaction that releases its leases. */
    public void retryLater(Connection transaction, Job job, Duration delay, Set<String> tried) throws SQLException {
        try (PreparedStatement retry = transaction.prepareStatement("""
                update %s.task
                   set state = 'queued', worker = null, tried = ?,
                       retry_at = clock_timestamp() + ? * interval '1 millisecond'
                 where %s
                """.formatted(schema, HELD))) {
            retry.setArray(1, transaction.createArrayOf("text", tried.toArray()));
            retry.setLong(2, delay.toMillis());
            held(retry, 3, job);
            retry.executeUpdate();
        }
    }

    /** The task waits again, in the transaction that hands it back; an attempt that was cut short does not count. */
    public void handBack(Connection transaction, Job job) throws SQLException {
        try (PreparedStatement back = transaction.prepareStatement(
                "update %s.task set state = 'queued', worker = null, attempts = attempts - 1 where %s"
                        .formatted(schema, HELD))) {
            held(back, 1, job);
            back.executeUpdate();
        }
    }

    /** Tasks whose next attempt is due, whoever made the last one. */
    public List<DueTask> due(int most) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement find = connection.prepareStatement("""
                        select id, owner, model, priority, long_prompt,
                               (extract(epoch from clock_timestamp() - coalesce(revived, created)) * 1000)::bigint, tried,
                               (extract(epoch from deadline - clock_timestamp()) * 1000)::bigint
                          from %s.task where retry_at <= clock_timestamp() order by retry_at limit ?
                        """.formatted(schema))) {
            find.setInt(1, most);
            List<DueTask> due = new ArrayList<>();
            try (ResultSet row = find.executeQuery()) {
                while (row.next()) {
                    due.add(new DueTask(
                            row.getObject(1, UUID.class),
                            row.getString(2),
                            row.getString(3),
                            row.getInt(4),
                            row.getBoolean(5),
                            Duration.ofMillis(row.getLong(6)),
                            Optional.ofNullable(row.getObject(8, Long.class)).map(Duration::ofMillis),
                            texts(row.getArray(7))));
                }
            }
            return due;
        }
    }

    /**
     * Notes that the task is in the queue again, in the transaction that queues it.
     *
     * @throws IllegalStateException if it ended or another process was quicker: then it must not be queued
     */
    public void queuedAgain(Connection transaction, UUID task) throws SQLException {
        try (PreparedStatement again = transaction.prepareStatement(
                "update %s.task set retry_at = null where id = ? and retry_at is not null and state = 'queued'"
                        .formatted(schema))) {
            again.setObject(1, task);
            if (again.executeUpdate() != 1) {
                throw new IllegalStateException("task " + task + " no longer waits for another attempt");
            }
        }
    }

    /** The queue had no place for it: another try later. */
    public void postpone(UUID task, Duration delay) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement postpone = connection.prepareStatement("""
                        update %s.task set retry_at = clock_timestamp() + ? * interval '1 millisecond'
                         where id = ? and retry_at is not null
                        """.formatted(schema))) {
            postpone.setLong(1, delay.toMillis());
            postpone.setObject(2, task);
            postpone.executeUpdate();
        }
    }

    /** Ends a task that is out of the queue between two attempts. */
    public void fail(UUID task, Failure failure) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement fail = connection.prepareStatement("""
                        update %s.task
                           set state = 'failed', error_type = ?, error_code = ?, error_message = ?, retry_at = null,
                               idempotency = null, finished = clock_timestamp()
                         where id = ? and retry_at is not null and state = 'queued'
                        """.formatted(schema))) {
            fail.setString(1, failure.type());
            fail.setString(2, failure.code());
            fail.setString(3, failure.message());
            fail.setObject(4, task);
            fail.executeUpdate();
        }
    }

    private static Array uuids(Connection connection, Collection<UUID> ids) throws SQLException {
        return connection.createArrayOf("uuid", ids.toArray());
    }

    private static Set<String> texts(Array array) throws SQLException {
        return Set.copyOf(Arrays.asList((String[]) array.getArray()));
    }
}
