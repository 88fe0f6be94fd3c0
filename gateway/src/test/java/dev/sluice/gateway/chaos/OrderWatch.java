package dev.sluice.gateway.chaos;

import dev.sluice.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Follows the journal as a holder would, and checks that of those who need exactly the same the first in line goes
 * first. Only waiters of a process that is not heard may be passed over.
 */
final class OrderWatch implements AutoCloseable {
    private static final long PERIOD_NANOS = 200_000_000;
    /** A holder whose heartbeat is so near its end was silent for long: seconds. */
    private static final double SILENT_BELOW = 6.5;

    private final TestDatabase database;
    private final Thread thread;
    private final Map<String, JsonNode> waiting = new HashMap<>();
    private final Map<String, String> holders = new HashMap<>();
    private String writer = "";
    private final Map<String, Double> lives = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private long seen;
    private int admitted;
    private volatile boolean closed;

    private OrderWatch(TestDatabase database, long seen) {
        this.database = database;
        this.seen = seen;
        this.thread = Thread.ofPlatform().daemon().name("order-watch").start(this::run);
    }

    /** Must begin while nothing waits. */
    static OrderWatch over(TestDatabase database) throws SQLException {
        try (Connection connection = database.connect()) {
            long seen = head(connection);
            beat(connection, seen);
            return new OrderWatch(database, seen);
        }
    }

    private static long head(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select max(revision) from journal")) {
            result.next();
            return result.getLong(1);
        }
    }

    /** Whoever lives has the journal kept and written for him. */
    private static void beat(Connection connection, long applied) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                insert into holder as h (id, started, until, applied)
                values ('order-watch', clock_timestamp(), clock_timestamp() + interval '15 s', ?)
                on conflict (id) do update set until = excluded.until, applied = excluded.applied""")) {
            statement.setLong(1, applied);
            statement.executeUpdate();
        }
    }

    private void run() {
        while (!closed) {
            try (Connection connection = database.connect()) {
                while (!closed) {
                    look(connection);
                    LockSupport.parkNanos(PERIOD_NANOS);
                }
            } catch (SQLException away) {
                LockSupport.parkNanos(PERIOD_NANOS);
            }
        }
    }

    private synchronized void look(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(
                        "select id, extract(epoch from until - clock_timestamp()) from holder")) {
            while (result.next()) {
                lives.put(result.getString(1), result.getDouble(2));
            }
        }
        try (PreparedStatement statement =
                connection.prepareStatement("select revision, changes from journal where revision > ? order by 1")) {
            statement.setLong(1, seen);
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    if (result.getLong(1) != seen + 1) {
                        violations.add("the journal was not kept after revision " + seen);
                    }
                    seen = result.getLong(1);
                    // Without text it says that the tables have everything.
                    if (!result.getString(2).isEmpty()) {
                        JsonMapper.shared().readTree(result.getString(2)).forEach(this::follow);
                    }
                }
            }
        }
        beat(connection, seen);
    }

    private void follow(JsonNode change) {
        if (change.has("by")) {
            // The holder of every waiter of this entry that names no other.
            writer = change.path("by").asString();
            return;
        }
        String task = change.path("task").asString();
        JsonNode row = change.path("row");
        if (row.isMissingNode()) {
            waiting.remove(task);
        } else if (!row.has("epoch")) {
            waiting.put(task, row);
            holders.put(task, change.path("holder").asString(writer));
        } else {
            JsonNode waited = waiting.remove(task);
            if (change.path("cause").asString().equals("ADMITTED")) {
                admitted++;
                judge(row, waited);
            }
        }
    }

    private void judge(JsonNode row, JsonNode waited) {
        for (Map.Entry<String, JsonNode> one : waiting.entrySet()) {
            JsonNode other = one.getValue();
            if (other.path("sequence").asLong() < row.path("sequence").asLong()
                    && other.path("needs").equals(row.path("needs"))
                    && other.path("route").equals(row.path("route"))
                    && other.path("avoided").equals(row.path("avoided"))
                    && !other.has("detached")
                    && lives.getOrDefault(holders.getOrDefault(one.getKey(), ""), 0.0) > SILENT_BELOW) {
                violations.add((waited == null ? "a newcomer " : "") + row + " went before " + other);
            }
        }
    }

    synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    synchronized int admitted() {
        return admitted;
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join();
    }
}
