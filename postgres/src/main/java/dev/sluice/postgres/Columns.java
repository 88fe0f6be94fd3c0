package dev.sluice.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Sets parameters of a call to arrays, one for each part of its rows. Arrays of these types go to the server in binary. */
public final class Columns<R> {
    private final PreparedStatement statement;
    private final Connection connection;
    private final List<R> rows;
    private int at;

    /** @param first the parameter that is set first */
    public Columns(PreparedStatement statement, int first, List<R> rows) throws SQLException {
        this.statement = statement;
        this.connection = statement.getConnection();
        this.at = first;
        this.rows = rows;
    }

    public Columns<R> texts(Function<R, @Nullable String> part) throws SQLException {
        return set("text", rows.stream().map(part).toArray(String[]::new));
    }

    public Columns<R> longs(ToLongFunction<R> part) throws SQLException {
        return set("int8", rows.stream().mapToLong(part).boxed().toArray(Long[]::new));
    }

    public Columns<R> ints(ToIntFunction<R> part) throws SQLException {
        return set("int4", rows.stream().mapToInt(part).boxed().toArray(Integer[]::new));
    }

    public Columns<R> bytes(Function<R, byte @Nullable []> part) throws SQLException {
        return set("bytea", rows.stream().map(part).toArray(byte[][]::new));
    }

    private Columns<R> set(String type, @Nullable Object[] values) throws SQLException {
        statement.setArray(at++, connection.createArrayOf(type, values));
        return this;
    }
}
