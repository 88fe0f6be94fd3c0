package dev.sluice.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The application's role and database. The role owns the database and nothing else: it is no superuser, so a flaw in a
 * query is not a way to the files and programs of the machine (COPY … FROM PROGRAM).
 */
final class Roles {
    static final String APPLICATION = "sluice";
    static final String DATABASE = "sluice";

    private final String superuserPassword;

    Roles(String superuserPassword) {
        this.superuserPassword = superuserPassword;
    }

    /** Makes what is missing, and gives the application's role this password. */
    void prepare(int port, Path cluster, String password) throws IOException {
        try (var connection = connect(port)) {
            requireOurs(connection, cluster);
            if (isMissing(connection, "SELECT FROM pg_roles WHERE rolname = '" + APPLICATION + "'")) {
                run(connection, "CREATE ROLE " + APPLICATION + " LOGIN");
            }
            // An operator may have raised it for a repair; a start puts it back.
            run(
                    connection,
                    "ALTER ROLE " + APPLICATION
                            + " NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT -1");
            // Else it would not see who holds old snapshots in its database.
            run(connection, "GRANT pg_read_all_stats TO " + APPLICATION);
            // The driver makes the SCRAM verifier, so the password itself is in no statement and no log.
            connection
                    .unwrap(PGConnection.class)
                    .alterUserPassword(APPLICATION, password.toCharArray(), "scram-sha-256");
            if (isMissing(connection, "SELECT FROM pg_database WHERE datname = '" + DATABASE + "'")) {
                run(connection, "CREATE DATABASE " + DATABASE + " OWNER " + APPLICATION);
            }
        } catch (SQLException failed) {
            throw new IOException("setting up the database failed: " + failed.getMessage(), failed);
        }
    }

    private Connection connect(int port) throws SQLException {
        var source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {port});
        source.setDatabaseName("postgres");
        source.setUser(Cluster.SUPERUSER);
        source.setPassword(superuserPassword);
        source.setConnectTimeout(10);
        source.setSocketTimeout(60);
        return source.getConnection();
    }

    /** A stranger on our port would already fail at SCRAM, unless it is a copy of this database. */
    private static void requireOurs(Connection connection, Path cluster) throws SQLException, IOException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SHOW data_directory")) {
            row.next();
            var directory = Path.of(row.getString(1));
            if (!Files.isSameFile(directory, cluster)) {
                throw new EmbeddedPostgresException(
                        "Another PostgreSQL, on " + directory + ", answers on the port of the one on " + cluster + ".");
            }
        }
    }

    private static boolean isMissing(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            return !rows.next();
        }
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
