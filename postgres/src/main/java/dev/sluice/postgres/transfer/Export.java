package dev.sluice.postgres.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.postgresql.PGConnection;

/** Writes the rows of a schema, all as of one moment; the gateways may go on working meanwhile. */
public final class Export {
    static final String FORMAT = "sluice-export 1";
    static final String ABOUT = "about";
    static final String SEQUENCES = "sequences";

    private Export() {}

    /**
     * Writes the file. It holds everything that the schema holds, prompts of queued tasks included: keep it as you keep
     * the database.
     *
     * @param connection of a role that may read the schema; its transaction is ended
     * @return the number of rows of each table
     */
    public static Map<String, Long> write(Connection connection, String schema, OutputStream out)
            throws SQLException, IOException {
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        connection.setReadOnly(true);
        try (var zip = new ZipOutputStream(out, UTF_8)) {
            var catalogue = new Catalogue(connection, schema);
            text(
                    zip,
                    ABOUT,
                    Stream.concat(Stream.of(FORMAT), catalogue.migrations().stream())
                            .toList());
            var rows = new LinkedHashMap<String, Long>();
            for (var table : catalogue.tables()) {
                zip.putNextEntry(new ZipEntry(table.entry()));
                var copied = connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyOut("COPY " + table.withColumns(schema) + " TO STDOUT (FORMAT csv, HEADER)", zip);
                zip.closeEntry();
                rows.put(table.name(), copied);
            }
            // Sequences know no snapshot: read after the rows they are never behind them.
            text(zip, SEQUENCES, catalogue.sequences());
            return rows;
        } finally {
            connection.rollback();
        }
    }

    private static void text(ZipOutputStream zip, String name, List<String> lines) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(String.join("\n", lines).getBytes(UTF_8));
        zip.closeEntry();
    }
}
