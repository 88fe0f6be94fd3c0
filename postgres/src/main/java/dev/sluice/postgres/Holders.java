package dev.sluice.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;

/** The table of holders: says that this one lives, hears who else does, and trims the journal behind the slowest. */
final class Holders {
    /** A holder that was silent for so long reads the tables again instead of the journal. */
    private static final String GONE = "60 s";

    /** After so long nobody asks any more whether it lives: each start of a process is a new holder. */
    private static final String FORGOTTEN = "1 h";

    private final String schema;
    private final String holder;
    private final Duration lease;

    Holders(String schema, String holder, Duration lease) {
        this.schema = '"' + schema + '"';
        this.holder = holder;
        this.lease = lease;
    }

    /**
     * What a beat heard, in Unix microseconds of the database.
     *
     * @param until of every holder that is not forgotten, dead ones too
     * @param at the database's clock
     */
    record Heard(Map<String, Long> until, long at) {}

    /**
     * One beat.
     *
     * @param applied the newest revision this holder has seen
     */
    Heard beat(Connection connection, long applied) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                insert into %s.holder as h (id, started, until, applied)
                values (?, clock_timestamp(), clock_timestamp() + ? * interval '1 microsecond', ?)
                on conflict (id) do update set until = excluded.until, applied = excluded.applied
                """.formatted(schema))) {
            statement.setString(1, holder);
            statement.setLong(2, lease.toNanos() / 1_000);
            statement.setLong(3, applied);
            statement.executeUpdate();
        }
        trim(connection);
        return heard(connection);
    }

    private void trim(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                delete from %1$s.journal
                 where revision < least(
                    (select min(applied) from %1$s.holder where until > clock_timestamp() - interval '%2$s'),
                    (select revision from %1$s.journal where folded order by revision desc limit 1))
                """.formatted(schema, GONE))) {
            statement.executeUpdate();
        }
        try (PreparedStatement statement = connection.prepareStatement(
                "delete from %s.holder where until < clock_timestamp() - interval '%s'".formatted(schema, FORGOTTEN))) {
            statement.executeUpdate();
        }
    }

    private Heard heard(Connection connection) throws SQLException {
        Map<String, Long> until = new HashMap<>();
        long at = 0;
        try (PreparedStatement statement = connection.prepareStatement(
                        "select id, until, clock_timestamp() from %s.holder".formatted(schema));
                ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                until.put(result.getString(1), micros(result, 2));
                at = micros(result, 3);
            }
        }
        return new Heard(until, at);
    }

    private static long micros(ResultSet result, int column) throws SQLException {
        OffsetDateTime at = result.getObject(column, OffsetDateTime.class);
        return at.toEpochSecond() * 1_000_000 + at.getNano() / 1_000;
    }

    /** Leaves in good order, so that nobody writes the journal for this holder any longer. */
    void leave(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("delete from %s.holder where id = ?".formatted(schema))) {
            statement.setString(1, holder);
            statement.executeUpdate();
        }
    }
}
