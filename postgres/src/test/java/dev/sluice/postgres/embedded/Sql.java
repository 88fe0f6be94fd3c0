package dev.sluice.postgres.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Statements in one line. */
final class Sql {
    private Sql() {}

    static Connection asApplication(EmbeddedPostgres database) throws SQLException {
        return DriverManager.getConnection(database.url(), database.user(), database.password());
    }

    static Connection asSuperuser(EmbeddedPostgres database, Path home) throws Exception {
        var secret = Files.readString(home.resolve("secret")).strip();
        return DriverManager.getConnection(database.url(), "sluice_admin", secret);
    }

    static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static String one(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    static String one(EmbeddedPostgres database, String sql) throws SQLException {
        try (var connection = asApplication(database)) {
            return one(connection, sql);
        }
    }

    static void run(EmbeddedPostgres database, String sql) throws SQLException {
        try (var connection = asApplication(database)) {
            run(connection, sql);
        }
    }
}
