package dev.sluice.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A migrated schema of a test's own. */
record LedgerSchema(TestDatabase database, DataSource source) implements AutoCloseable {
    static LedgerSchema create() throws SQLException {
        TestDatabase database = TestDatabase.withFreshSchema();
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.serverUrl());
        source.setUser(database.user());
        source.setPassword(database.password());
        Migrations.apply(source, database.schema());
        return new LedgerSchema(database, source);
    }

    String name() {
        return database.schema();
    }

    /** Forgets every task and decision, which is much quicker than another schema. */
    void empty() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("truncate waiting, active, holder, provider_state, job, task, journal cascade");
            statement.execute("insert into journal values (0, 'test', clock_timestamp(), null)");
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    int count(String table) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select count(*) from " + table)) {
            result.next();
            return result.getInt(1);
        }
    }

    /** Ends every other session of this role, as a failing network or a restarted server would. */
    void cutConnections() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                    + " where usename = current_user and pid <> pg_backend_pid()");
        }
    }

    @Override
    public void close() throws SQLException {
        database.close();
    }
}
