package dev.sluice.postgres;

import static org.awaitility.Awaitility.await;

import dev.sluice.admission.Row;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
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
            statement.execute("insert into journal values (0, 'test', clock_timestamp(), true, '')");
        }
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Waits until the tables have everything that the journal has. */
    void folded() {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> number("select folded::int from journal order by revision desc limit 1") == 1);
    }

    /** Rows of a table, once the tables have everything. */
    int count(String table) throws SQLException {
        folded();
        return number("select count(*) from " + table);
    }

    /** The tasks that hold leases now, by tables and journal. */
    Set<UUID> running() throws SQLException {
        try (Store store = new Store(source.getConnection(), name(), "reader")) {
            Store.Tables tables = store.load();
            Map<UUID, Row> rows = new HashMap<>(tables.rows());
            tables.entries().forEach(entry -> Journal.replay(entry, rows));
            return rows.values().stream()
                    .filter(row -> !row.waits())
                    .map(Row::task)
                    .collect(Collectors.toSet());
        }
    }

    int number(String query) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
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
