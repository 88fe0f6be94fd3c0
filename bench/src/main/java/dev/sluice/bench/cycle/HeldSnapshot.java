package dev.sluice.bench.cycle;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A transaction that has looked at the database once and stays open: what a forgotten session does. */
record HeldSnapshot(Connection connection) implements AutoCloseable {
    private static final String AGE = "SELECT txid_current_snapshot()::text";

    static HeldSnapshot of(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        HeldSnapshot held = new HeldSnapshot(connection);
        held.check();
        return held;
    }

    /** Throws if the session was ended: then nothing was held. */
    void check() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(AGE)) {
            if (!row.next()) {
                throw new SQLException("no snapshot");
            }
        }
    }

    @Override
    public void close() throws SQLException {
        connection.rollback();
        connection.close();
    }
}
