package dev.sluice.postgres;

import dev.sluice.postgres.embedded.TestServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A fresh schema for a test, in a server that all tests of one run share. Which server: the system property {@code
 * sluice.test.postgres}, or the variable {@code SLUICE_TEST_POSTGRES_URL}:
 *
 * <ul>
 *   <li>{@code embedded} (default): the one that comes with the gateway
 *   <li>{@code system}: the machine's own programs, started in a temporary folder
 *   <li>{@code jdbc:postgresql://…?user=…&password=…}: one that runs already
 * </ul>
 *
 * @param url names the schema as the connection's {@code currentSchema}
 * @param serverUrl the same without the schema
 */
public record TestDatabase(String url, String serverUrl, String user, String password, String schema)
        implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();

    /** Drops nothing of another run: the name has the process id in it. */
    public static TestDatabase withFreshSchema() throws SQLException {
        var server = TestServer.shared();
        var schema = "test_" + ProcessHandle.current().pid() + "_" + COUNT.incrementAndGet();
        try (var connection = DriverManager.getConnection(server.url(), server.login());
                var statement = connection.createStatement()) {
            statement.execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
            statement.execute("CREATE SCHEMA " + schema);
        }
        var url = server.url() + (server.url().contains("?") ? "&" : "?") + "currentSchema=" + schema;
        return new TestDatabase(url, server.url(), server.user(), server.password(), schema);
    }

    /** A new connection that sees the schema. */
    public Connection connect() throws SQLException {
        var login = new Properties();
        login.setProperty("user", user);
        login.setProperty("password", password);
        return DriverManager.getConnection(url, login);
    }

    /** Drops the schema. */
    @Override
    public void close() throws SQLException {
        try (var connection = connect();
                var statement = connection.createStatement()) {
            statement.execute("DROP SCHEMA " + schema + " CASCADE");
        }
    }
}
