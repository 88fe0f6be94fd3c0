package dev.sluice.bench.cycle;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;

/** How long a statement takes that does nothing, or next to nothing: what the proxy really adds, what a commit costs. */
final class RoundTrip {
    private static final int TIMES = 300;

    private RoundTrip() {}

    static double medianMillis(int port) throws SQLException {
        try (Connection connection = DriverManager.getConnection(Databases.url(port, "postgres"));
                PreparedStatement nothing = connection.prepareStatement("SELECT 1")) {
            return median(() -> nothing.executeQuery().close());
        }
    }

    /** A commit of one inserted row. */
    static double medianCommitMillis() throws SQLException {
        String url = Databases.url(Databases.port(), "postgres");
        Databases.execute(url, "CREATE TABLE IF NOT EXISTS bare_commit (id bigint)");
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement insert = connection.prepareStatement("INSERT INTO bare_commit VALUES (1)")) {
            return median(insert::executeUpdate);
        }
    }

    private interface Statement {
        void run() throws SQLException;
    }

    private static double median(Statement statement) throws SQLException {
        long[] nanos = new long[TIMES];
        for (int i = 0; i < TIMES; i++) {
            long start = System.nanoTime();
            statement.run();
            nanos[i] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        return nanos[TIMES / 2] / 1e6;
    }
}
