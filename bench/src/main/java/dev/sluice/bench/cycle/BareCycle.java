package dev.sluice.bench.cycle;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/** Two statements that each commit by themselves, on the same pool as the port has. */
final class BareCycle implements Cycle {
    private static final int POOL_SIZE = 32;

    private final HikariDataSource pool;

    BareCycle(String url) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(POOL_SIZE);
        config.setMinimumIdle(POOL_SIZE);
        config.setConnectionTimeout(60_000);
        pool = new HikariDataSource(config);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE bare (id uuid PRIMARY KEY, expires_at timestamptz NOT NULL)");
        }
    }

    @Override
    public void run(int caller) throws SQLException {
        UUID id = UUID.randomUUID();
        execute("INSERT INTO bare (id, expires_at) VALUES (?, now() + interval '2 minutes')", id);
        execute("DELETE FROM bare WHERE id = ?", id);
    }

    private void execute(String sql, UUID id) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, id);
            if (statement.executeUpdate() != 1) {
                throw new SQLException("not one row: " + sql);
            }
        }
    }

    /** Rows of the same table. */
    @Override
    public void addWaiting(int tasks) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO bare SELECT gen_random_uuid(), now() FROM generate_series(1, ?)")) {
            insert.setInt(1, tasks);
            insert.executeUpdate();
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
