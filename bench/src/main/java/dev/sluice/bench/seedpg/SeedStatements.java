package dev.sluice.bench.seedpg;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The seed's ...Tx functions: each runs its statements in the caller's transaction. */
final class SeedStatements {
    static final Duration WAITER_LEASE = Duration.ofSeconds(15);
    static final String WAITER_LEASE_TEXT = "15s";
    private static final Duration EXECUTION_SLOT_WAIT_MAX = Duration.ofHours(24);
    private static final int DEFAULT_MAX_WAIT_SECONDS = 600;

    private final InstantSource clock;

    SeedStatements(InstantSource clock) {
        this.clock = clock;
    }

    Instant now() {
        return clock.instant();
    }

    /** Line 141 and its like. */
    void lock(Connection tx, String key) throws SQLException {
        Sql.execute(tx, "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", key);
    }

    void lockTask(Connection tx, String taskId) throws SQLException {
        lock(tx, "task-admission:" + taskId);
    }

    /** Lines 144-153. */
    void requireActiveTask(Connection tx, String taskId) throws SQLException, SeedRefusal {
        boolean active = Sql.one(tx, """
                SELECT status IN ('queued', 'running')
                FROM gateway_tasks
                WHERE id = ?::uuid""", row -> row.getBoolean(1), taskId);
        if (!active) {
            throw new SeedRefusal(SeedRefusal.Kind.TASK_FINISHED, "task execution finished");
        }
    }

    /** loadTaskAdmissionTx, lines 1155-1176. */
    Optional<SeedAdmission> load(Connection tx, String taskId) throws SQLException {
        return Sql.first(
                tx,
                "SELECT " + SeedAdmission.COLUMNS + " FROM gateway_task_admissions WHERE task_id = ?::uuid",
                SeedAdmission::scan,
                taskId);
    }

    /** admissionScopeStatesTx, lines 961-986. */
    List<ScopeState> states(Connection tx, List<SeedScope> scopes) throws SQLException {
        List<ScopeState> states = new ArrayList<>(scopes.size());
        for (SeedScope scope : scopes) {
            double active = 0;
            boolean saturated = false;
            if (scope.concurrentLimit() > 0) {
                active = activeAmount(tx, scope);
                saturated = active + scope.amount() > scope.concurrentLimit();
            }
            states.add(new ScopeState(scope, active, waiting(tx, scope), saturated));
        }
        return states;
    }

    /** Lines 966-973. */
    private static double activeAmount(Connection tx, SeedScope scope) throws SQLException {
        return Sql.one(tx, """
                SELECT COALESCE(SUM(lease_value), 0)::float8,
                       COALESCE(MIN(expires_at), now() + interval '1 second')
                FROM gateway_concurrency_leases
                WHERE scope_type = ?
                  AND scope_key = ?
                  AND released_at IS NULL
                  AND expires_at > now()""", row -> row.getDouble(1), scope.type(), scope.key());
    }

    /** admissionScopeWaitingTx, lines 988-1012. */
    private static int waiting(Connection tx, SeedScope scope) throws SQLException {
        return switch (scope.type()) {
            case SeedScope.PLATFORM_MODEL -> count(tx, """
                        SELECT COUNT(*)
                        FROM gateway_task_admissions
                        WHERE status = 'waiting' AND platform_model_id::text = ?""", scope.key());
            case SeedScope.USER_GROUP -> count(tx, """
                        SELECT COUNT(*)
                        FROM gateway_task_admissions
                        WHERE status = 'waiting' AND user_group_id::text = ?""", scope.key());
            case SeedScope.WORKER_CAPACITY -> count(tx, """
                        SELECT COUNT(*)
                        FROM gateway_task_admissions
                        WHERE status = 'waiting' AND mode = 'async'""");
            default -> 0;
        };
    }

    private static int count(Connection tx, String sql, @Nullable Object... arguments) throws SQLException {
        return Sql.one(tx, sql, row -> row.getInt(1), arguments);
    }

    /** admissionDeadline, lines 1014-1035. */
    Instant deadline(List<SeedScope> scopes) {
        int maxWait = 0;
        for (SeedScope scope : scopes) {
            if (scope.queueLimit() <= 0) {
                continue;
            }
            int wait = scope.maxWaitSeconds() <= 0 ? DEFAULT_MAX_WAIT_SECONDS : scope.maxWaitSeconds();
            if (maxWait == 0 || wait < maxWait) {
                maxWait = wait;
            }
        }
        return clock.instant().plus(maxWait == 0 ? EXECUTION_SLOT_WAIT_MAX : Duration.ofSeconds(maxWait));
    }

    private @Nullable Instant waiterLease(SeedInput input) {
        return input.sync() ? clock.instant().plus(WAITER_LEASE) : null;
    }

    /** insertTaskAdmissionTx, lines 1094-1120. */
    SeedAdmission insert(Connection tx, SeedInput input, Instant deadline) throws SQLException {
        return Sql.one(
                tx,
                """
                INSERT INTO gateway_task_admissions (
                  task_id, platform_id, platform_model_id, user_group_id, queue_key, mode, status,
                  priority, wait_deadline_at, waiter_id, waiter_lease_expires_at
                )
                VALUES (
                  ?::uuid, ?::uuid, ?::uuid, NULLIF(?, '')::uuid, ?, ?, 'waiting',
                  ?, ?, NULLIF(?, ''), ?
                )
                ON CONFLICT (task_id) DO UPDATE
                SET waiter_id = CASE WHEN gateway_task_admissions.mode = 'sync'
                      THEN EXCLUDED.waiter_id ELSE gateway_task_admissions.waiter_id END,
                    waiter_lease_expires_at = CASE WHEN gateway_task_admissions.mode = 'sync'
                      THEN EXCLUDED.waiter_lease_expires_at
                      ELSE gateway_task_admissions.waiter_lease_expires_at END,
                    updated_at = now()
                RETURNING\s""" + SeedAdmission.COLUMNS,
                SeedAdmission::scan,
                input.taskId(),
                input.platformId(),
                input.platformModelId(),
                input.userGroupId(),
                input.queueKey(),
                input.mode(),
                input.priority(),
                deadline,
                input.waiterId().strip(),
                waiterLease(input));
    }

    /** renewTaskAdmissionWaiterTx, lines 1122-1137. */
    SeedAdmission renewWaiter(Connection tx, String taskId, String waiterId) throws SQLException {
        return Sql.one(tx, """
                UPDATE gateway_task_admissions
                SET waiter_id = ?,
                    waiter_lease_expires_at = now() + ?::interval,
                    updated_at = now()
                WHERE task_id = ?::uuid
                  AND mode = 'sync'
                  AND status = 'waiting'
                RETURNING\s""" + SeedAdmission.COLUMNS, SeedAdmission::scan, waiterId, WAITER_LEASE_TEXT, taskId);
    }

    /** isTaskAdmissionHeadTx, lines 1206-1239. */
    boolean isHead(Connection tx, SeedAdmission admission, List<SeedScope> scopes) throws SQLException {
        for (SeedScope scope : scopes) {
            Optional<String> head = switch (scope.type()) {
                case SeedScope.PLATFORM_MODEL ->
                    Sql.first(tx, """
                                    SELECT task_id::text
                                    FROM gateway_task_admissions
                                    WHERE platform_model_id = ?::uuid AND status = 'waiting'
                                    ORDER BY priority ASC, enqueued_at ASC, task_id ASC
                                    LIMIT 1""", row -> row.getString(1), admission.platformModelId());
                case SeedScope.USER_GROUP ->
                    admission.userGroupId().isEmpty()
                            ? Optional.of(admission.taskId())
                            : Sql.first(tx, """
                                            SELECT task_id::text
                                            FROM gateway_task_admissions
                                            WHERE user_group_id = ?::uuid AND status = 'waiting'
                                            ORDER BY priority ASC, enqueued_at ASC, task_id ASC
                                            LIMIT 1""", row -> row.getString(1), admission.userGroupId());
                default -> Optional.of(admission.taskId());
            };
            if (!head.orElseThrow(() -> new SQLException("no rows")).equals(admission.taskId())) {
                return false;
            }
        }
        return true;
    }

    /**
     * reserveConcurrencyLease, named at line 362 and not in the file: tests the limit and inserts the lease. Empty when
     * the limit is reached. The seed may lock the scope once more here; the port does not.
     */
    Optional<String> reserve(Connection tx, String taskId, SeedScope scope) throws SQLException {
        if (activeAmount(tx, scope) + scope.amount() > scope.concurrentLimit()) {
            return Optional.empty();
        }
        return Optional.of(Sql.one(
                tx,
                """
                INSERT INTO gateway_concurrency_leases (task_id, scope_type, scope_key, lease_value, expires_at)
                VALUES (?::uuid, ?, ?, ?, now() + make_interval(secs => ?))
                RETURNING id::text""",
                row -> row.getString(1),
                taskId,
                scope.type(),
                scope.key(),
                scope.amount(),
                scope.leaseTtlSeconds()));
    }

    /** markTaskAdmissionAdmittedTx, lines 1139-1153. */
    SeedAdmission markAdmitted(Connection tx, String taskId) throws SQLException {
        return Sql.one(tx, """
                UPDATE gateway_task_admissions
                SET status = 'admitted',
                    admitted_at = now(),
                    waiter_lease_expires_at = NULL,
                    updated_at = now()
                WHERE task_id = ?::uuid AND status = 'waiting'
                RETURNING\s""" + SeedAdmission.COLUMNS, SeedAdmission::scan, taskId);
    }

    /** activeTaskAdmissionLeaseCountTx, lines 536-545. */
    int activeLeases(Connection tx, String taskId) throws SQLException {
        return count(tx, """
                SELECT COUNT(*)
                FROM gateway_concurrency_leases
                WHERE task_id = ?::uuid
                  AND released_at IS NULL
                  AND expires_at > now()""", taskId);
    }

    /** Lines 549-552 and 643-646. */
    void releaseLeases(Connection tx, String taskId) throws SQLException {
        Sql.execute(tx, """
                UPDATE gateway_concurrency_leases
                SET released_at = now()
                WHERE task_id = ?::uuid
                  AND released_at IS NULL""", taskId);
    }

    /** resetTaskAdmissionToWaitingTx, lines 547-586. */
    SeedAdmission resetToWaiting(Connection tx, SeedInput input) throws SQLException {
        releaseLeases(tx, input.taskId());
        return Sql.one(
                tx,
                """
                UPDATE gateway_task_admissions
                SET status = 'waiting',
                    admitted_at = NULL,
                    platform_id = ?::uuid,
                    platform_model_id = ?::uuid,
                    user_group_id = NULLIF(?, '')::uuid,
                    queue_key = ?,
                    wait_deadline_at = LEAST(wait_deadline_at, ?),
                    waiter_id = NULLIF(?, ''),
                    waiter_lease_expires_at = ?,
                    updated_at = now()
                WHERE task_id = ?::uuid
                RETURNING\s""" + SeedAdmission.COLUMNS,
                SeedAdmission::scan,
                input.platformId(),
                input.platformModelId(),
                input.userGroupId(),
                input.queueKey(),
                deadline(input.scopes()),
                input.waiterId().strip(),
                waiterLease(input),
                input.taskId());
    }

    /** Lines 501-524. */
    SeedAdmission rebind(Connection tx, SeedInput input, Instant deadline) throws SQLException {
        return Sql.one(
                tx,
                """
                UPDATE gateway_task_admissions
                SET platform_id = ?::uuid,
                    platform_model_id = ?::uuid,
                    user_group_id = NULLIF(?, '')::uuid,
                    queue_key = ?,
                    wait_deadline_at = LEAST(wait_deadline_at, ?),
                    reselect_requested_at = NULL,
                    updated_at = now()
                WHERE task_id = ?::uuid
                  AND status = 'waiting'
                RETURNING\s""" + SeedAdmission.COLUMNS,
                SeedAdmission::scan,
                input.platformId(),
                input.platformModelId(),
                input.userGroupId(),
                input.queueKey(),
                deadline,
                input.taskId());
    }

    /** Lines 649-651 and 1242-1244. */
    void delete(Connection tx, String taskId) throws SQLException {
        Sql.execute(tx, "DELETE FROM gateway_task_admissions WHERE task_id = ?::uuid", taskId);
    }

    /** expireTaskAdmissionTx, lines 1241-1255. */
    void expire(Connection tx, String taskId) throws SQLException {
        delete(tx, taskId);
        Sql.execute(tx, """
                UPDATE gateway_tasks
                SET status = 'failed',
                    error = 'task admission queue wait timed out',
                    error_code = 'queue_timeout',
                    error_message = 'task admission queue wait timed out',
                    finished_at = now(),
                    updated_at = now()
                WHERE id = ?::uuid AND status = 'queued'""", taskId);
    }

    /** notifyTaskAdmissionTx, lines 1257-1260. */
    void notify(Connection tx, String payload) throws SQLException {
        Sql.execute(tx, "SELECT pg_notify(?, ?)", SeedStore.CHANNEL, payload);
    }
}
