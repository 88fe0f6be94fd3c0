package dev.sluice.postgres.transfer;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** What PostgreSQL knows of one schema. */
final class Catalogue {
    /** Written by the migrations themselves, so never moved. */
    private static final String HISTORY = "flyway_schema_history";

    private final Connection connection;
    private final String schema;

    Catalogue(Connection connection, String schema) {
        this.connection = connection;
        this.schema = schema;
    }

    /** The tables, each after those that it refers to, so that they can be filled in this order. */
    List<Table> tables() throws SQLException {
        var waiting = new TreeMap<String, Table>();
        try (var query = connection.prepareStatement("""
                SELECT c.relname,
                       array_agg(a.attname::text ORDER BY a.attnum) AS columns,
                       ARRAY(SELECT DISTINCT referred.relname::text
                             FROM pg_constraint k
                             JOIN pg_class referred ON referred.oid = k.confrelid
                             WHERE k.contype = 'f' AND k.conrelid = c.oid AND k.confrelid <> c.oid) AS refers_to
                FROM pg_class c
                JOIN pg_attribute a ON a.attrelid = c.oid
                WHERE c.relnamespace = to_regnamespace(?)
                  AND c.relkind = 'r'
                  AND c.relname <> ?
                  AND a.attnum > 0
                  AND NOT a.attisdropped
                  AND a.attgenerated = '' -- the target computes these itself
                GROUP BY c.oid, c.relname""")) {
            query.setString(1, schema);
            query.setString(2, HISTORY);
            try (var rows = query.executeQuery()) {
                while (rows.next()) {
                    var name = rows.getString(1);
                    waiting.put(
                            name,
                            new Table(name, List.of((String[]) rows.getArray(2).getArray()), List.of((String[])
                                    rows.getArray(3).getArray())));
                }
            }
        }
        return inOrder(waiting);
    }

    private static List<Table> inOrder(TreeMap<String, Table> waiting) {
        var order = new ArrayList<Table>();
        while (!waiting.isEmpty()) {
            var next = waiting.values().stream()
                    .filter(table -> table.refersTo().stream().noneMatch(waiting::containsKey))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(
                            "tables that refer to each other in a circle: " + waiting.keySet()));
            waiting.remove(next.name());
            order.add(next);
        }
        return order;
    }

    /** The migrations that made the tables, a line each; empty where there is no history. */
    List<String> migrations() throws SQLException {
        if (lines("SELECT tablename FROM pg_tables WHERE schemaname = ? AND tablename = ?", schema, HISTORY)
                .isEmpty()) {
            return List.of();
        }
        return lines("SELECT 'migration ' || version || ' ' || coalesce(checksum::text, '') FROM "
                + Table.quoted(schema) + "." + HISTORY
                + " WHERE success AND version IS NOT NULL ORDER BY installed_rank");
    }

    /** Each sequence that was used, with its last value. */
    List<String> sequences() throws SQLException {
        return lines(
                "SELECT sequencename || ' ' || last_value FROM pg_sequences"
                        + " WHERE last_value IS NOT NULL AND schemaname = ? ORDER BY sequencename",
                schema);
    }

    /** Those whose heartbeat is not overdue. */
    List<String> holders() throws SQLException {
        if (lines("SELECT tablename FROM pg_tables WHERE schemaname = ? AND tablename = 'holder'", schema)
                .isEmpty()) {
            return List.of();
        }
        return lines("SELECT id FROM " + Table.quoted(schema) + ".holder WHERE until > clock_timestamp() ORDER BY id");
    }

    private List<String> lines(String sql, String... parameters) throws SQLException {
        var lines = new ArrayList<String>();
        try (var query = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                query.setString(i + 1, parameters[i]);
            }
            try (var rows = query.executeQuery()) {
                while (rows.next()) {
                    lines.add(rows.getString(1));
                }
            }
        }
        return lines;
    }
}
