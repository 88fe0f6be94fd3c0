package dev.sluice.postgres;

import java.sql.SQLException;
import java.util.Set;

/** Tells a database that is away, or has no time, from one that refuses what it was asked. */
final class Outage {
    /** Classes of SQLSTATE: connection, resources, operator's intervention, system, transaction rolled back. */
    private static final Set<String> CLASSES = Set.of("08", "53", "57", "58", "40");

    private static final String IDLE_IN_TRANSACTION = "25P03";

    private Outage() {}

    static boolean is(SQLException failure) {
        String state = failure.getSQLState();
        return state == null
                || state.length() < 2
                || CLASSES.contains(state.substring(0, 2))
                || state.equals(IDLE_IN_TRANSACTION);
    }
}
