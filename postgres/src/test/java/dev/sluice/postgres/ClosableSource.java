package dev.sluice.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.ds.PGSimpleDataSource;

/** A database that can be out of reach. */
final class ClosableSource extends PGSimpleDataSource {
    private static final long serialVersionUID = 1;

    private volatile boolean closed;

    static ClosableSource of(LedgerSchema schema) {
        ClosableSource source = new ClosableSource();
        source.setUrl(schema.database().serverUrl());
        source.setUser(schema.database().user());
        source.setPassword(schema.database().password());
        return source;
    }

    /** New connections fail from now on; cut those that are there as well. */
    void close() {
        closed = true;
    }

    void open() {
        closed = false;
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        if (closed) {
            throw new SQLException("nobody listens there", "08001");
        }
        return super.getConnection(user, password);
    }
}
