package dev.sluice.bench.seedpg;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The statements of ReapExpiredTaskAdmissions, lines 791-884. */
final class SeedReap {
    private SeedReap() {}

    /** Lines 800-809. */
    static List<String> expired(Connection tx, int limit) throws SQLException {
        return Sql.all(tx, """
                SELECT task_id::text
                FROM gateway_task_admissions
                WHERE status = 'waiting'
                  AND (
                    wait_deadline_at <= now()
                    OR (mode = 'sync' AND waiter_lease_expires_at <= now())
                  )
                ORDER BY wait_deadline_at ASC, task_id ASC
                LIMIT ?""", row -> row.getString(1), limit);
    }

    /** Lines 834-872; false when the task is no longer expired. */
    static boolean reap(Connection tx, String taskId) throws SQLException {
        Optional<Boolean> deadlineExpired = Sql.first(tx, """
                DELETE FROM gateway_task_admissions
                WHERE task_id = ?::uuid
                  AND status = 'waiting'
                  AND (
                    wait_deadline_at <= now()
                    OR (mode = 'sync' AND waiter_lease_expires_at <= now())
                  )
                RETURNING wait_deadline_at <= now()""", row -> row.getBoolean(1), taskId);
        if (deadlineExpired.isEmpty()) {
            return false;
        }
        boolean timedOut = deadlineExpired.get();
        String message = timedOut ? "task admission queue wait timed out" : "synchronous queue waiter disconnected";
        Sql.execute(
                tx,
                """
                UPDATE gateway_tasks
                SET status = ?,
                    error = ?,
                    error_code = ?,
                    error_message = ?,
                    finished_at = now(),
                    updated_at = now()
                WHERE id = ?::uuid
                  AND status = 'queued'""",
                timedOut ? "failed" : "cancelled",
                message,
                timedOut ? "queue_timeout" : "client_disconnected",
                message,
                taskId);
        return true;
    }
}
