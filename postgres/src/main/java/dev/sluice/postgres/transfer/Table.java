package dev.sluice.postgres.transfer;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A table that is moved.
 *
 * @param columns all that hold something of their own, in their order
 * @param refersTo other tables, by foreign key
 */
record Table(String name, List<String> columns, List<String> refersTo) {
    private static final String ENDING = ".csv";

    Table {
        columns = List.copyOf(columns);
        refersTo = List.copyOf(refersTo);
    }

    String entry() {
        return name + ENDING;
    }

    String in(String schema) {
        return quoted(schema) + "." + quoted(name);
    }

    /** The table with its columns, as COPY wants it. */
    String withColumns(String schema) {
        return in(schema) + " (" + columns.stream().map(Table::quoted).collect(Collectors.joining(", ")) + ")";
    }

    static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }
}
