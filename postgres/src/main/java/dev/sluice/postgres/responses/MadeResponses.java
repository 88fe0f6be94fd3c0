package dev.sluice.postgres.responses;

import dev.sluice.postgres.Columns;
import dev.sluice.postgres.Rows;
import dev.sluice.postgres.tasks.NewTask;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Keeps many responses at once, with the tasks that make them. */
record MadeResponses(Rows<NewTask> tasks, ResponseStore responses, String schema) implements Rows<MadeResponses.Made> {
    /** A response, and the task that makes it. */
    record Made(NewTask task, NewResponse response) {}

    @Override
    public String function() {
        return schema + ".keep_responses";
    }

    @Override
    public int parameters() {
        return tasks.parameters() + 4;
    }

    @Override
    public void bind(PreparedStatement statement, int first, List<Made> rows) throws SQLException {
        tasks.bind(statement, first, rows.stream().map(Made::task).toList());
        new Columns<>(statement, first + tasks.parameters(), rows)
                .texts(made -> made.response().id())
                .ints(made -> made.response().streamed() ? 1 : 0)
                .bytes(made -> made.response().body())
                .bytes(made -> made.response().input());
    }

    @Override
    public void alone(Connection connection, Made made) throws Exception {
        tasks.alone(connection, made.task());
        responses.insert(connection, made.response());
    }
}
