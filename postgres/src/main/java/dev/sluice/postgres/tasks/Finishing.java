package dev.sluice.postgres.tasks;

import dev.sluice.postgres.Columns;
import dev.sluice.postgres.Rows;
import dev.sluice.postgres.tasks.StoredTask.Answer;
import dev.sluice.postgres.tasks.StoredTask.Failure;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Ends many tasks at once. */
record Finishing(String schema, String worker) implements Rows<Finishing.End> {

    /** What becomes of a job's task; see {@link JobStore#finishing}. */
    record End(Job job, Optional<Failure> failure, Optional<Answer> answer, boolean staged) {}

    @Override
    public String function() {
        return schema + ".finish_tasks";
    }

    @Override
    public int parameters() {
        return 10;
    }

    @Override
    public void bind(PreparedStatement statement, int first, List<End> rows) throws SQLException {
        statement.setString(first, worker);
        new Columns<>(statement, first + 1, rows)
                .texts(end -> end.job().task().toString())
                .longs(end -> end.job().epoch())
                .texts(end -> end.failure().map(Failure::type).orElse(null))
                .texts(end -> end.failure().map(Failure::code).orElse(null))
                .texts(end -> end.failure().map(Failure::message).orElse(null))
                .ints(end -> end.answer().map(Answer::status).orElse(0))
                .texts(end -> end.answer().map(Answer::type).orElse(null))
                .ints(end -> end.staged() ? 1 : 0)
                .bytes(end ->
                        end.staged() ? null : end.answer().map(Answer::body).orElse(null));
    }
}
