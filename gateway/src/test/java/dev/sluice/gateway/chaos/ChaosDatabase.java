package dev.sluice.gateway.chaos;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import dev.sluice.postgres.TestDatabase;
import dev.sluice.postgres.embedded.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The database of all gateways: restarted, crashed, and its sessions ended. Its supervisor starts it again. */
final class ChaosDatabase implements AutoCloseable {
    private final TestDatabase database;
    private final Path log;

    private ChaosDatabase(TestDatabase database) throws SQLException {
        this.database = database;
        this.log = logFolder(postmaster());
    }

    static ChaosDatabase create() throws SQLException {
        return new ChaosDatabase(TestDatabase.withFreshSchema());
    }

    TestDatabase database() {
        return database;
    }

    String yaml() {
        return "{mode: external, url: \"%s\", user: %s, password: \"%s\", schema: %s}"
                .formatted(database.serverUrl(), database.user(), database.password(), database.schema());
    }

    /** The parent of the process that serves a session. */
    private ProcessHandle postmaster() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select pg_backend_pid()")) {
            result.next();
            return ProcessHandle.of(result.getLong(1))
                    .flatMap(ProcessHandle::parent)
                    .orElseThrow();
        }
    }

    private static Path logFolder(ProcessHandle postmaster) {
        try {
            List<String> command = List.of(Files.readString(Path.of("/proc/" + postmaster.pid() + "/cmdline"))
                    .split("\0"));
            return Path.of(command.get(command.indexOf("-D") + 1)).resolveSibling("log");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long number(String query) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            result.next();
            return result.getLong(1);
        }
    }

    /** Rows in the ledger. */
    long rows() throws SQLException {
        return number("select (select count(*) from waiting) + (select count(*) from active)");
    }

    String shown() throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet result =
                        statement.executeQuery("select body from waiting union all select body from active")) {
            while (result.next()) {
                rows.add(result.getString(1));
            }
        }
        return String.join("\n", rows);
    }

    /** Ends every session but ours. */
    void cutSessions() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_terminate_backend(pid) from pg_stat_activity"
                    + " where usename = current_user and pid <> pg_backend_pid()");
        }
    }

    /** @param signal INT for a quick orderly restart, KILL for a crash */
    void restart(String signal) throws SQLException {
        ProcessHandle old = postmaster();
        Signal.send(signal, old.pid());
        await("the database is back")
                .atMost(60, SECONDS)
                .ignoreExceptions()
                .until(() -> postmaster().pid() != old.pid());
    }

    /** Lines of the server's log that tell of a deadlock. */
    List<String> deadlocks() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(log)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.readAllLines(file).stream()
                        .filter(line -> line.contains("deadlock detected"))
                        .forEach(found::add);
            }
        }
        return found;
    }

    @Override
    public void close() throws SQLException {
        database.close();
    }
}
