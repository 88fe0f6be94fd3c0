package dev.sluice.bench.seedpg;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One statement each; the driver keeps them prepared on the server, as pgx does. */
final class Sql {
    /** Reads one row. */
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    private Sql() {}

    static int execute(Connection connection, String sql, @Nullable Object... arguments) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(connection, statement, arguments);
            return statement.execute() ? 0 : statement.getUpdateCount();
        }
    }

    static <T> List<T> all(Connection connection, String sql, Row<T> row, @Nullable Object... arguments)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(connection, statement, arguments);
            List<T> rows = new ArrayList<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    rows.add(row.read(result));
                }
            }
            return rows;
        }
    }

    static <T> Optional<T> first(Connection connection, String sql, Row<T> row, @Nullable Object... arguments)
            throws SQLException {
        return all(connection, sql, row, arguments).stream().findFirst();
    }

    static <T> T one(Connection connection, String sql, Row<T> row, @Nullable Object... arguments) throws SQLException {
        return first(connection, sql, row, arguments).orElseThrow(() -> new SQLException("no rows"));
    }

    private static void bind(Connection connection, PreparedStatement statement, @Nullable Object[] arguments)
            throws SQLException {
        for (int i = 0; i < arguments.length; i++) {
            Object argument = arguments[i];
            switch (argument) {
                case null -> statement.setNull(i + 1, Types.TIMESTAMP_WITH_TIMEZONE);
                case Instant instant -> statement.setObject(i + 1, instant.atOffset(ZoneOffset.UTC));
                case String[] texts -> statement.setArray(i + 1, connection.createArrayOf("text", texts));
                default -> statement.setObject(i + 1, argument);
            }
        }
    }
}
