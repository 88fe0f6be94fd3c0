package dev.sluice.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;

/**
 * Says that this holder lives, hears who else does, and trims the journal behind the slowest. It has a connection and a
 * thread of its own, so that a busy or blocked writer cannot keep it from being heard.
 */
final class Heartbeat {
    /** A holder that was silent for so long reads the tables again instead of the journal. */
    private static final String GONE = "60 s";

    private final String schema;
    private final String holder;
    private final Duration lease;

    Heartbeat(String schema, String holder, Duration lease) {
        this.schema = '"' + schema + '"';
        this.holder = holder;
        this.lease = lease;
    }

    /**
     * One beat.
     *
     * @param applied the newest revision this holder has seen
     * @return every live holder and until when, as Unix microseconds of the database
     */
    Map<String, Long> beat(Connection connection, long applied) throws SQLException {
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
        return living(connection);
    }

    private void trim(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                delete from %1$s.journal
                 where revision < least(
                    (select min(applied) from %1$s.holder where until > clock_timestamp() - interval '%2$s'),
                    (select max(revision) from %1$s.journal))
                """.formatted(schema, GONE))) {
            statement.executeUpdate();
        }
    }

    private Map<String, Long> living(Connection connection) throws SQLException {
        Map<String, Long> living = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(
                        "select id, until from %s.holder where until > clock_timestamp() - interval '%s'"
                                .formatted(schema, GONE));
                ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                OffsetDateTime until = result.getObject(2, OffsetDateTime.class);
                living.put(result.getString(1), until.toEpochSecond() * 1_000_000 + until.getNano() / 1_000);
            }
        }
        return living;
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
