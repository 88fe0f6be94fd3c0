package dev.sluice.postgres;

import java.sql.Connection;

/**
 * A hook that is one row of a call which all hooks like it of a batch share. If the database refuses the call, parts of
 * the batch are tried apart, so that the one at fault takes back itself and no other.
 *
 * @param <R> what the call must know of one operation
 */
public record RowHook<R>(Rows<R> rows, R row) implements RepeatableHook {
    @Override
    public void run(Connection connection) throws Exception {
        rows.alone(connection, row);
    }
}
