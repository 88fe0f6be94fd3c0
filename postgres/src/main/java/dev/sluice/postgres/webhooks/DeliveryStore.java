package dev.sluice.postgres.webhooks;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Messages in the database, as gateways deliver them. A gateway claims one for some time; if it dies, the message is due
 * again when that time is over. Every method blocks and takes a connection for the time of one statement.
 */
public final class DeliveryStore {
    private static final int PURGED_AT_ONCE = 500;

    private final DataSource database;
    private final String schema;

    /** @param database may be a pooler in transaction mode */
    public DeliveryStore(DataSource database, String schema) {
        this.database = database;
        this.schema = '"' + schema + '"';
    }

    /**
     * Why an attempt failed.
     *
     * @param status that the receiver answered, empty if it did not
     * @param code for programs, for example {@code timeout}
     * @param message for people, without address and secret
     */
    public record Failure(OptionalInt status, String code, String message) {}

    /** How {@link #claim} and a failure call a webhook of a group. */
    public static String target(String owner, String webhook) {
        return owner + '\n' + webhook;
    }

    /**
     * Takes messages that are due and that nobody delivers, the longest due first.
     *
     * @param busy targets that get no more for now
     * @param lease how long nobody else takes them
     */
    public List<Delivery> claim(Collection<String> busy, int most, Duration lease) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement claim = connection.prepareStatement("""
                        update %1$s.webhook_delivery d
                           set attempts = attempts + 1, due = clock_timestamp() + ? * interval '1 millisecond'
                         where id = any(array(
                            select id from %1$s.webhook_delivery
                             where gave_up is null and due <= clock_timestamp()
                               and owner || chr(10) || webhook <> all(?)
                             order by due limit ? for update skip locked))
                        returning id, owner, webhook, attempts, payload
                        """.formatted(schema))) {
            claim.setLong(1, lease.toMillis());
            claim.setArray(2, connection.createArrayOf("text", busy.toArray()));
            claim.setInt(3, most);
            List<Delivery> claimed = new ArrayList<>();
            try (ResultSet row = claim.executeQuery()) {
                while (row.next()) {
                    claimed.add(new Delivery(
                            row.getObject(1, UUID.class),
                            row.getString(2),
                            row.getString(3),
                            row.getInt(4),
                            row.getString(5)));
                }
            }
            return claimed;
        }
    }

    private static final String HELD = "id = ? and attempts = ? and gave_up is null";

    private static void held(PreparedStatement statement, int at, Delivery delivery) throws SQLException {
        statement.setObject(at, delivery.id());
        statement.setInt(at + 1, delivery.attempt());
    }

    /** The receiver has it: nothing is left to do. */
    public void delivered(Delivery delivery) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement delete = connection.prepareStatement(
                        "delete from %s.webhook_delivery where %s".formatted(schema, HELD))) {
            held(delete, 1, delivery);
            delete.executeUpdate();
        }
    }

    /** Another attempt follows after {@code delay}. */
    public void failed(Delivery delivery, Failure failure, Duration delay) throws SQLException {
        end(delivery, failure, "due = clock_timestamp() + ? * interval '1 millisecond'", delay.toMillis());
    }

    /** No other attempt follows, unless an operator says so. */
    public void giveUp(Delivery delivery, Failure failure) throws SQLException {
        end(delivery, failure, "gave_up = clock_timestamp() + ? * interval '1 millisecond'", 0);
    }

    private void end(Delivery delivery, Failure failure, String then, long millis) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement end = connection.prepareStatement(
                        "update %s.webhook_delivery set status = ?, code = ?, message = ?, %s where %s"
                                .formatted(schema, then, HELD))) {
            end.setObject(1, failure.status().isPresent() ? failure.status().getAsInt() : null, Types.INTEGER);
            end.setString(2, failure.code());
            end.setString(3, failure.message());
            end.setLong(4, millis);
            held(end, 5, delivery);
            end.executeUpdate();
        }
    }

    /** How many are still to be delivered. */
    public long pending() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement count = connection.prepareStatement(
                        "select count(*) from %s.webhook_delivery where gave_up is null".formatted(schema));
                ResultSet row = count.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Deletes some that were given up longer ago than {@code retention}; how many. Zero when none is left. */
    public int purgeOlder(Duration retention) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement delete = connection.prepareStatement("""
                        delete from %1$s.webhook_delivery where id = any(array(
                            select id from %1$s.webhook_delivery
                             where gave_up < clock_timestamp() - ? * interval '1 millisecond'
                             order by gave_up limit %2$s for update skip locked))
                        """.formatted(schema, PURGED_AT_ONCE))) {
            delete.setLong(1, retention.toMillis());
            return delete.executeUpdate();
        }
    }
}
