package dev.sluice.postgres.tasks;

import dev.sluice.postgres.RowHook;
import dev.sluice.postgres.tasks.StoredTask.State;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Tasks as their clients see them; lines of batches are none of these. Every method blocks and takes a connection for the time of one statement. */
public final class TaskStore {
    /** How long an idempotency key stands for its task. */
    private static final String KEY_LIFETIME = "24 hours";

    private static final int PURGED_AT_ONCE = 500;

    private final DataSource database;
    private final String schema;
    private final Keeping keeping;

    /** @param database may be a pooler in transaction mode */
    public TaskStore(DataSource database, String schema) {
        this.database = database;
        this.schema = '"' + schema + '"';
        this.keeping = new Keeping(this, this.schema);
    }

    /** Keeps a task as {@link #insert} does, together with all that are queued in the same batch. */
    public RowHook<NewTask> keeping(NewTask task) {
        return new RowHook<>(keeping, task);
    }

    /**
     * Keeps a task, in the transaction that queues it. That transaction holds the ledger's lock, so nobody can insert
     * between the look at the key and the insert.
     *
     * @throws DuplicateTaskException if the key stands for another task
     */
    public void insert(Connection transaction, NewTask task) throws SQLException, DuplicateTaskException {
        if (task.idempotency().isPresent()) {
            claim(transaction, task.owner(), task.idempotency().get());
        }
        try (PreparedStatement insert = transaction.prepareStatement("""
                insert into %s.task (id, owner, model, path, priority, long_prompt, request, request_headers, idempotency,
                                     fingerprint, webhook, metadata, created)
                values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::json, coalesce(?::timestamptz, clock_timestamp()))
                """.formatted(schema))) {
            insert.setObject(1, task.id());
            insert.setString(2, task.owner());
            insert.setString(3, task.model());
            insert.setString(4, task.path());
            insert.setInt(5, task.priority());
            insert.setBoolean(6, task.longPrompt());
            insert.setBytes(7, task.request());
            insert.setString(8, task.headers());
            insert.setString(9, task.idempotency().map(NewTask.Idempotency::key).orElse(null));
            insert.setString(
                    10, task.idempotency().map(NewTask.Idempotency::fingerprint).orElse(null));
            insert.setString(11, task.webhook().map(NewTask.Webhook::id).orElse(null));
            insert.setString(
                    12, task.webhook().flatMap(NewTask.Webhook::metadata).orElse(null));
            insert.setString(13, task.created().map(Instant::toString).orElse(null));
            insert.executeUpdate();
        }
    }

    private void claim(Connection transaction, String owner, NewTask.Idempotency key)
            throws SQLException, DuplicateTaskException {
        try (PreparedStatement lapse = transaction.prepareStatement("""
                update %s.task set idempotency = null
                 where owner = ? and idempotency = ? and created < clock_timestamp() - interval '%s'
                """.formatted(schema, KEY_LIFETIME))) {
            lapse.setString(1, owner);
            lapse.setString(2, key.key());
            lapse.executeUpdate();
        }
        find(transaction, owner, key);
    }

    private void find(Connection connection, String owner, NewTask.Idempotency key)
            throws SQLException, DuplicateTaskException {
        try (PreparedStatement find = connection.prepareStatement("""
                select id, fingerprint from %s.task
                 where owner = ? and idempotency = ? and created >= clock_timestamp() - interval '%s'
                """.formatted(schema, KEY_LIFETIME))) {
            find.setString(1, owner);
            find.setString(2, key.key());
            try (ResultSet found = find.executeQuery()) {
                if (found.next()) {
                    throw new DuplicateTaskException(
                            found.getObject(1, UUID.class), key.fingerprint().equals(found.getString(2)));
                }
            }
        }
    }

    /**
     * What a key stands for now. The look under the lock decides; this one spares most repeated requests that.
     *
     * @throws DuplicateTaskException if the key stands for a task
     */
    public void look(String owner, NewTask.Idempotency key) throws SQLException, DuplicateTaskException {
        try (Connection connection = database.getConnection()) {
            find(connection, owner, key);
        }
    }

    public Optional<StoredTask> find(UUID task) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement find = connection.prepareStatement("""
                        select id, owner, state, attempts, created, started, finished, error_type, error_code,
                               error_message, status, response_type, response
                          from %s.task where id = ? and batch is null
                        """.formatted(schema))) {
            find.setObject(1, task);
            try (ResultSet row = find.executeQuery()) {
                return row.next() ? Optional.of(TaskRow.read(row)) : Optional.empty();
            }
        }
    }

    /** How tasks stand, without what their upstreams answered; those that are not there are left out. */
    public Map<UUID, StoredTask> states(Collection<UUID> ids) throws SQLException {
        Map<UUID, StoredTask> found = new HashMap<>();
        try (Connection connection = database.getConnection();
                PreparedStatement find = connection.prepareStatement("""
                        select id, owner, state, attempts, created, started, finished, error_type, error_code,
                               error_message, status, response_type, null::bytea as response
                          from %s.task where id = any(?)
                        """.formatted(schema))) {
            find.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
            try (ResultSet row = find.executeQuery()) {
                while (row.next()) {
                    StoredTask task = TaskRow.read(row);
                    found.put(task.id(), task);
                }
            }
        }
        return found;
    }

    /**
     * Ends a task that has not ended. If it runs, its worker hears of it and stops; if it waits, the caller must remove
     * it from the queue, and if that is not done it never starts all the same.
     *
     * @return false if it has ended or is not there
     */
    public boolean cancel(UUID task) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement cancel = connection.prepareStatement("""
                        with ended as (
                            update %1$s.task
                               set state = 'cancelled', finished = clock_timestamp(), idempotency = null, retry_at = null,
                                   request = null, error_type = 'invalid_request_error', error_code = 'cancelled',
                                   error_message = 'The task was cancelled.'
                             where id = ? and batch is null and state in ('queued', 'running')
                            returning id)
                        select pg_notify(%1$s.channel(), '*') from ended
                        """.formatted(schema))) {
            cancel.setObject(1, task);
            try (ResultSet ended = cancel.executeQuery()) {
                return ended.next();
            }
        }
    }

    /** Deletes what a finished task said and was told; that it was there stays known until its time is over. */
    public boolean purge(UUID task) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement purge = connection.prepareStatement("""
                        with purged as (
                            update %1$s.task
                               set request = null, request_headers = null, response = null, idempotency = null,
                                   purged = true
                             where id = ? and batch is null and finished is not null
                            returning id),
                        gone as (delete from %1$s.response r using purged p where r.task = p.id)
                        select 1 from purged
                        """.formatted(schema))) {
            purge.setObject(1, task);
            try (ResultSet purged = purge.executeQuery()) {
                return purged.next();
            }
        }
    }

    /** Deletes some tasks that ended longer ago than {@code retention}; how many. Zero when none is left. */
    public int purgeOlder(Duration retention) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement delete = connection.prepareStatement("""
                        delete from %1$s.task where id = any(array(
                            select id from %1$s.task
                             where finished < clock_timestamp() - ? * interval '1 millisecond' and batch is null
                             order by finished limit %2$s for update skip locked))
                        """.formatted(schema, PURGED_AT_ONCE))) {
            delete.setLong(1, retention.toMillis());
            return delete.executeUpdate();
        }
    }

    /**
     * Ends tasks that neither wait nor hold anything nor are to be tried again. That happens only if a task was given up
     * after an uncertain commit; its client was told so.
     */
    public int failLost() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement fail = connection.prepareStatement("""
                        update %1$s.task
                           set state = 'failed', error_type = 'service_unavailable_error',
                               error_code = 'admission_unavailable', finished = clock_timestamp(), idempotency = null,
                               error_message = 'The database was lost while the task was taken over.'
                         where id in (select id from %1$s.task t where batch is null and %2$s for update skip locked)
                        """.formatted(schema, lost()))) {
            return fail.executeUpdate();
        }
    }

    /** Queues lines of batches again that neither wait nor hold anything: nobody was told that such a line failed. */
    public int retryLostLines() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement retry = connection.prepareStatement("""
                        update %1$s.task set retry_at = clock_timestamp(), state = 'queued', worker = null
                         where id in (
                               select id from %1$s.task t where batch is not null and %2$s for update skip locked)
                        """.formatted(schema, lost()))) {
            return retry.executeUpdate();
        }
    }

    /** Of tasks {@code t}: the ledger has had a minute to know them, and does not. */
    private String lost() {
        return """
               t.finished is null and t.retry_at is null and t.created < clock_timestamp() - interval '1 minute'
               and not exists (select 1 from %1$s.waiting w where w.task = t.id)
               and not exists (select 1 from %1$s.active a where a.task = t.id)
               -- Nor has the journal anything that these tables lack.
               and not exists (
                   select 1 from %1$s.journal j
                    where j.revision > (select revision from %1$s.journal
                                         where folded order by revision desc limit 1)
                      and j.changes like '%%' || t.id || '%%')
               """.formatted(schema);
    }

    /** What a later attempt will ask for. */
    public void changePriority(UUID task, int priority) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement change = connection.prepareStatement(
                        "update %s.task set priority = ? where id = ? and state in ('queued', 'running')"
                                .formatted(schema))) {
            change.setInt(1, priority);
            change.setObject(2, task);
            change.executeUpdate();
        }
    }

    /** How many tasks of each state are kept. */
    public Map<State, Long> counts() throws SQLException {
        Map<State, Long> counts = new EnumMap<>(State.class);
        for (State state : State.values()) {
            counts.put(state, 0L);
        }
        try (Connection connection = database.getConnection();
                PreparedStatement count = connection.prepareStatement(
                        "select state, count(*) from %s.task group by state".formatted(schema));
                ResultSet row = count.executeQuery()) {
            while (row.next()) {
                counts.put(TaskRow.state(row.getString(1)), row.getLong(2));
            }
        }
        return counts;
    }
}
