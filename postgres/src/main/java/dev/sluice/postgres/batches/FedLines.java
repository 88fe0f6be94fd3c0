package dev.sluice.postgres.batches;

import dev.sluice.postgres.Columns;
import dev.sluice.postgres.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Keeps the tasks of many lines at once. */
record FedLines(LineStore lines, String schema, String feeder) implements Rows<FedLine> {
    @Override
    public String function() {
        return schema + ".feed_lines";
    }

    @Override
    public int parameters() {
        return 12;
    }

    @Override
    public void bind(PreparedStatement statement, int first, List<FedLine> rows) throws SQLException {
        statement.setString(first, feeder);
        new Columns<>(statement, first + 1, rows)
                .texts(line -> line.task().id().toString())
                .texts(line -> line.task().owner())
                .texts(line -> line.task().model())
                .texts(line -> line.task().path())
                .ints(line -> line.task().priority())
                .ints(line -> line.task().longPrompt() ? 1 : 0)
                .bytes(line -> line.task().request())
                .texts(line -> line.task().headers())
                .texts(line -> line.batch().toString())
                .ints(FedLine::line)
                .texts(FedLine::customId);
    }

    /** Why a line is not to be fed is said only when it is alone. */
    @Override
    public void alone(Connection connection, FedLine line) throws SQLException, NotFedException {
        lines.insert(connection, line);
    }
}
