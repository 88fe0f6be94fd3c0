package dev.sluice.postgres.tasks;

import dev.sluice.postgres.Columns;
import dev.sluice.postgres.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** Keeps many tasks at once. */
record Keeping(TaskStore tasks, String schema) implements Rows<NewTask> {
    @Override
    public String function() {
        return schema + ".keep_tasks";
    }

    @Override
    public int parameters() {
        return 13;
    }

    @Override
    public void bind(PreparedStatement statement, int first, List<NewTask> rows) throws SQLException {
        new Columns<>(statement, first, rows)
                .texts(task -> task.id().toString())
                .texts(NewTask::owner)
                .texts(NewTask::model)
                .texts(NewTask::path)
                .ints(NewTask::priority)
                .ints(task -> task.longPrompt() ? 1 : 0)
                .bytes(NewTask::request)
                .texts(NewTask::headers)
                .texts(task -> task.idempotency().map(NewTask.Idempotency::key).orElse(null))
                .texts(task ->
                        task.idempotency().map(NewTask.Idempotency::fingerprint).orElse(null))
                .texts(task -> task.webhook().map(NewTask.Webhook::id).orElse(null))
                .texts(task -> task.webhook().flatMap(NewTask.Webhook::metadata).orElse(null))
                .texts(task -> task.created().map(Instant::toString).orElse(null));
    }

    /** Which task its key stands for is said only when it is alone. */
    @Override
    public void alone(Connection connection, NewTask task) throws SQLException, DuplicateTaskException {
        tasks.insert(connection, task);
    }
}
