package dev.sluice.postgres.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** Fills a schema, made by the same migrations, with the rows of an {@link Export}: all of them or none. */
public final class Import {
    /** What became of it. */
    public sealed interface Outcome {}

    /** @param rows the number of rows of each table */
    public record Loaded(Map<String, Long> rows) implements Outcome {
        public Loaded {
            rows = Map.copyOf(rows);
        }
    }

    /**
     * Nothing was changed.
     *
     * @param reason for the operator
     */
    public record Refused(String reason) implements Outcome {}

    private final Connection connection;
    private final String schema;
    private final Map<String, Table> missing;

    private Import(Connection connection, String schema, List<Table> tables) {
        this.connection = connection;
        this.schema = schema;
        this.missing = tables.stream()
                .collect(Collectors.toMap(Table::entry, table -> table, (a, b) -> a, LinkedHashMap::new));
    }

    /** Whether the schema is not there or has no tables, so that nothing can be lost. */
    public static boolean isUnused(Connection connection, String schema) throws SQLException {
        return new Catalogue(connection, schema).tables().isEmpty();
    }

    /** The gateways that use the schema now, or did up to 15 s ago: rows must not change under them. */
    public static List<String> gatewaysOn(Connection connection, String schema) throws SQLException {
        return new Catalogue(connection, schema).holders();
    }

    /**
     * Loads the file. No gateway may use the schema meanwhile.
     *
     * @param connection of the role that owns the schema; its transaction is ended
     * @param replace whether rows that are there already may be lost
     * @throws IOException when the file is damaged; nothing was changed then
     */
    public static Outcome load(Connection connection, String schema, InputStream in, boolean replace)
            throws SQLException, IOException {
        connection.setAutoCommit(false);
        try (var zip = new ZipInputStream(in, UTF_8)) {
            var catalogue = new Catalogue(connection, schema);
            var tables = catalogue.tables();
            var outcome = new Import(connection, schema, tables).load(zip, catalogue.migrations(), tables, replace);
            if (outcome instanceof Loaded) {
                connection.commit();
            }
            return outcome;
        } finally {
            connection.rollback();
        }
    }

    private Outcome load(ZipInputStream zip, List<String> migrations, List<Table> tables, boolean replace)
            throws SQLException, IOException {
        var about = lines(zip, Export.ABOUT);
        if (!about.getFirst().equals(Export.FORMAT)) {
            return new Refused("the file is no export of this version of Sluice: " + about.getFirst());
        }
        if (!about.subList(1, about.size()).equals(migrations)) {
            return new Refused("the export was made by " + last(about.subList(1, about.size())) + ", the schema "
                    + schema + " here by " + last(migrations) + "; import it with the version of Sluice that made it");
        }
        var filled = filled(tables);
        if (!replace && !filled.isEmpty()) {
            return new Refused("the schema " + schema + " has rows already, in " + String.join(", ", filled));
        }
        empty(tables);
        return rows(zip);
    }

    private static String last(List<String> migrations) {
        return migrations.isEmpty() ? "no migration" : migrations.getLast();
    }

    private List<String> filled(List<Table> tables) throws SQLException {
        var filled = new ArrayList<String>();
        for (var table : tables) {
            try (var query = connection.createStatement();
                    var rows = query.executeQuery("SELECT FROM " + table.in(schema) + " LIMIT 1")) {
                if (rows.next()) {
                    filled.add(table.name());
                }
            }
        }
        return filled;
    }

    private void empty(List<Table> tables) throws SQLException {
        if (!tables.isEmpty()) {
            run("TRUNCATE " + tables.stream().map(table -> table.in(schema)).collect(Collectors.joining(", ")));
        }
    }

    private Outcome rows(ZipInputStream zip) throws SQLException, IOException {
        var rows = new LinkedHashMap<String, Long>();
        @Nullable ZipEntry entry = zip.getNextEntry();
        for (; entry != null && !entry.getName().equals(Export.SEQUENCES); entry = zip.getNextEntry()) {
            var table = missing.remove(entry.getName());
            if (table == null) {
                return new Refused("the export has a table that the schema " + schema + " lacks: " + entry.getName());
            }
            var copied = connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn(
                            "COPY " + table.withColumns(schema) + " FROM STDIN (FORMAT csv, HEADER MATCH)",
                            new OneEntry(zip));
            rows.put(table.name(), copied);
        }
        if (entry == null || !missing.isEmpty()) {
            throw new IOException(
                    "the export is cut off: " + (entry == null ? "its end" : missing.keySet()) + " is missing");
        }
        sequences(text(zip));
        return new Loaded(rows);
    }

    private void sequences(List<String> lines) throws SQLException {
        for (var line : lines) {
            var space = line.lastIndexOf(' ');
            var sequence = new Table(line.substring(0, space), List.of(), List.of()).in(schema);
            try (var statement = connection.prepareStatement("SELECT setval(?::regclass, ?)")) {
                statement.setString(1, sequence);
                statement.setLong(2, Long.parseLong(line.substring(space + 1)));
                statement.execute();
            }
        }
    }

    private void run(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> lines(ZipInputStream zip, String name) throws IOException {
        @Nullable ZipEntry entry = zip.getNextEntry();
        return entry == null || !entry.getName().equals(name) ? List.of("it does not begin with " + name) : text(zip);
    }

    private static List<String> text(ZipInputStream zip) throws IOException {
        return new String(zip.readAllBytes(), UTF_8).lines().toList();
    }

    /** The driver may close what it reads, and that must not be the whole file. */
    private static final class OneEntry extends FilterInputStream {
        OneEntry(ZipInputStream zip) {
            super(zip);
        }

        @Override
        public void close() {
            // the next entry follows
        }
    }
}
