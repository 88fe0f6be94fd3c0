package dev.sluice.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/**
 * A function of the database that does for many operations of a batch what a hook of each would do. It is called in the
 * statement that writes the batch, so it costs neither a round trip nor time under the ledger's lock of its own.
 *
 * @param <R> what it must know of one operation
 */
public interface Rows<R> {
    /**
     * The function's name with its schema, as SQL. Its first parameter is a text, the outcome of the batch: unless that
     * is {@code ok} it must do nothing. The others are those of {@link #bind}; what it returns is not looked at.
     */
    String function();

    /** How many parameters {@link #bind} sets. */
    int parameters();

    /** Sets the parameters from {@code first} on. */
    void bind(PreparedStatement statement, int first, List<R> rows) throws SQLException;

    /**
     * Does it for one operation in a transaction of its own, after the same was refused for several, or for this one.
     *
     * @throws Exception anything: it is what that operation fails with
     */
    default void alone(Connection connection, R row) throws Exception {
        try (PreparedStatement call = connection.prepareStatement("select " + call("'ok'"))) {
            bind(call, 1, List.of(row));
            call.execute();
        }
    }

    /** @param outcome the first argument, as SQL */
    default String call(String outcome) {
        return function() + "(" + outcome + String.join("", Collections.nCopies(parameters(), ", ?")) + ")";
    }
}
