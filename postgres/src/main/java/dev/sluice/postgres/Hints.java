package dev.sluice.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.BooleanSupplier;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Listens for hints: that another holder promoted a waiter of this one, or made work for executors. A hint may be lost
 * or its connection silently dead; the writer's poll stands behind it, and this connection is asked now and then.
 */
final class Hints {
    private static final int WAIT_MILLIS = 1_000;
    private static final int ASK_AFTER = 10;

    private final String schema;
    private final String holder;
    private final Runnable onPromoted;
    private final Runnable onWork;

    Hints(String schema, String holder, Runnable onPromoted, Runnable onWork) {
        this.schema = '"' + schema + '"';
        this.holder = holder;
        this.onPromoted = onPromoted;
        this.onWork = onWork;
    }

    /** Returns when {@code closed} says so; throws when the connection fails. */
    void listen(Connection connection, BooleanSupplier closed) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            String channel;
            try (ResultSet result = statement.executeQuery("select " + schema + ".channel()")) {
                result.next();
                channel = result.getString(1);
            }
            statement.execute("listen " + channel);
            PGConnection hints = connection.unwrap(PGConnection.class);
            int silent = 0;
            while (!closed.getAsBoolean()) {
                PGNotification[] heard = hints.getNotifications(WAIT_MILLIS);
                if (heard != null && heard.length > 0) {
                    silent = 0;
                    act(heard);
                } else if (++silent == ASK_AFTER) {
                    silent = 0;
                    statement.execute("select 1");
                }
            }
        }
    }

    private void act(PGNotification[] heard) {
        boolean promoted = false;
        boolean work = false;
        for (PGNotification hint : heard) {
            promoted |= hint.getParameter().equals(holder);
            work |= hint.getParameter().equals("*");
        }
        if (promoted) {
            onPromoted.run();
        }
        if (work) {
            onWork.run();
        }
    }
}
