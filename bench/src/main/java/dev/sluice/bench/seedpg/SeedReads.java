package dev.sluice.bench.seedpg;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** The seed's operations of one statement each, on a pooled connection without a transaction of their own. */
public final class SeedReads {
    /** TaskAdmissionMetricsSnapshot, lines 90-97. */
    public record Metrics(
            int queueDepth,
            int waitingSync,
            int waitingAsync,
            double oldestWaitSeconds,
            int expiredWaiterBacklog,
            int expiredDeadlineBacklog) {}

    private final DataSource pool;

    SeedReads(DataSource pool) {
        this.pool = pool;
    }

    /** RenewTaskAdmissionWaiters, lines 610-631. */
    public void renewWaiters(String[] taskIds, String[] waiterIds) throws SQLException {
        if (taskIds.length != waiterIds.length) {
            throw new IllegalArgumentException("renewal requires matching task and waiter ids");
        }
        if (taskIds.length == 0) {
            return;
        }
        try (Connection connection = pool.getConnection()) {
            Sql.execute(connection, """
                    UPDATE gateway_task_admissions admission
                    SET waiter_lease_expires_at = now() + ?::interval,
                        updated_at = now()
                    FROM unnest(?::uuid[], ?::text[]) AS owned(task_id, waiter_id)
                    WHERE admission.task_id = owned.task_id
                      AND admission.waiter_id = owned.waiter_id
                      AND admission.mode = 'sync'
                      AND admission.status = 'waiting'""", SeedStatements.WAITER_LEASE_TEXT, taskIds, waiterIds);
        }
    }

    /** ActiveTaskAdmissionLeases, lines 658-682: the ids. */
    public List<String> activeLeases(String taskId) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return Sql.all(connection, """
                    SELECT id::text,
                           GREATEST(EXTRACT(EPOCH FROM expires_at - acquired_at), 1)::float8
                    FROM gateway_concurrency_leases
                    WHERE task_id = ?::uuid
                      AND released_at IS NULL
                      AND expires_at > now()
                    ORDER BY scope_type, scope_key, id""", row -> row.getString(1), taskId);
        }
    }

    /** ListWaitingAsyncAdmissionTaskIDs, lines 684-712. */
    public List<String> waitingAsync(int limit) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return Sql.all(connection, """
                    SELECT task_id::text
                    FROM gateway_task_admissions
                    WHERE status = 'waiting'
                      AND mode = 'async'
                    ORDER BY priority ASC, enqueued_at ASC, task_id ASC
                    LIMIT ?""", row -> row.getString(1), limit);
        }
    }

    /** ListWaitingTaskAdmissionIDs, lines 718-754: whom a process wakes after a release. */
    public List<String> waitingHeads(int limit) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return Sql.all(connection, """
                    WITH ranked AS (
                      SELECT task_id,
                             priority,
                             enqueued_at,
                             row_number() OVER (
                               PARTITION BY platform_model_id
                               ORDER BY priority ASC, enqueued_at ASC, task_id ASC
                             ) AS platform_rank,
                             row_number() OVER (
                               PARTITION BY user_group_id
                               ORDER BY priority ASC, enqueued_at ASC, task_id ASC
                             ) AS group_rank
                      FROM gateway_task_admissions
                      WHERE status = 'waiting'
                        AND mode = 'sync'
                    )
                    SELECT task_id::text
                    FROM ranked
                    WHERE platform_rank <= ?
                      AND group_rank <= ?
                    ORDER BY priority ASC, enqueued_at ASC, task_id ASC
                    LIMIT ?""", row -> row.getString(1), limit, limit, limit);
        }
    }

    /** GetTaskAdmission, lines 756-765. */
    public Optional<SeedAdmission> get(String taskId) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return Sql.first(
                    connection,
                    "SELECT " + SeedAdmission.COLUMNS + " FROM gateway_task_admissions WHERE task_id = ?::uuid",
                    SeedAdmission::scan,
                    taskId);
        }
    }

    /** TaskAdmissionMetrics, lines 767-789. */
    public Metrics metrics() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return Sql.one(
                    connection,
                    """
                    SELECT COUNT(*) FILTER (WHERE status = 'waiting')::int,
                           COUNT(*) FILTER (WHERE status = 'waiting' AND mode = 'sync')::int,
                           COUNT(*) FILTER (WHERE status = 'waiting' AND mode = 'async')::int,
                           COALESCE(EXTRACT(EPOCH FROM now()
                             - MIN(enqueued_at) FILTER (WHERE status = 'waiting')), 0)::float8,
                           COUNT(*) FILTER (
                             WHERE status = 'waiting' AND mode = 'sync' AND waiter_lease_expires_at <= now()
                           )::int,
                           COUNT(*) FILTER (
                             WHERE status = 'waiting' AND wait_deadline_at <= now()
                           )::int
                    FROM gateway_task_admissions""",
                    row -> new Metrics(
                            row.getInt(1),
                            row.getInt(2),
                            row.getInt(3),
                            row.getDouble(4),
                            row.getInt(5),
                            row.getInt(6)));
        }
    }

    /** ListenTaskAdmissionNotifications, lines 888-906: holds a pooled connection while {@code wanted}. */
    public void listen(BooleanSupplier wanted, Consumer<String> onNotification) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            Sql.execute(connection, "LISTEN " + SeedStore.CHANNEL);
            PGConnection notifications = connection.unwrap(PGConnection.class);
            while (wanted.getAsBoolean()) {
                for (PGNotification notification : notifications.getNotifications(100)) {
                    onNotification.accept(notification.getParameter());
                }
            }
            Sql.execute(connection, "UNLISTEN *");
        }
    }
}
