package dev.sluice.gateway;

import dev.sluice.gateway.config.ConfigurationFile;
import dev.sluice.gateway.config.Database;
import dev.sluice.gateway.config.Environment;
import dev.sluice.gateway.config.FileFault;
import dev.sluice.gateway.config.Verdict;
import dev.sluice.postgres.Migrations;
import dev.sluice.postgres.embedded.EmbeddedPostgresException;
import dev.sluice.postgres.transfer.Export;
import dev.sluice.postgres.transfer.Import;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The commands {@code sluice export} and {@code sluice import}: a copy of the database's rows that any version of
 * PostgreSQL can take.
 */
abstract class Transfer implements Callable<Integer> {
    private static final int DONE = 0;
    private static final int FAILED = 1;
    private static final int FAULTY = 2;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The configuration that names the database; without it the embedded one in ./data.")
    private @Nullable Path config;

    @Parameters(paramLabel = "ROWS.zip", description = "The file with the rows.")
    private Path file;

    @Override
    public Integer call() {
        return config == null
                ? on(new Database.Embedded(Database.DIR, Optional.empty(), Database.POOL_SIZE))
                : switch (ConfigurationFile.read(config, Environment.ofProcess())) {
                    case Verdict.Loaded loaded -> on(loaded.configuration().database());
                    case Verdict.Faulty(List<FileFault> faults) -> {
                        faults.forEach(spec.commandLine().getErr()::println);
                        yield FAULTY;
                    }
                };
    }

    private int on(Database chosen) {
        try {
            var database = OpenDatabase.open(chosen, this::say);
            if (database.isEmpty()) {
                return failed("database.mode is memory: there is nothing to export, and no place to import to");
            }
            try (var open = database.get()) {
                // Unlike a gateway's calls, these may take long.
                open.source().setSocketTimeout(0);
                return move(open, file);
            }
        } catch (SQLException | IOException | FlywayException | EmbeddedPostgresException failure) {
            return failed(reason(failure));
        }
    }

    /** The message of a fault with a file is often no more than its name. */
    private static String reason(Exception failure) {
        return switch (failure) {
            case FileAlreadyExistsException there -> there.getFile() + " is there already: nothing is written over it";
            case NoSuchFileException missing -> "there is no " + missing.getFile();
            case AccessDeniedException denied -> denied.getFile() + " must not be touched by this user";
            case EOFException end -> "the file ends too early: it is damaged";
            default -> String.valueOf(failure.getMessage());
        };
    }

    abstract int move(OpenDatabase database, Path rows) throws SQLException, IOException;

    final void say(String line) {
        spec.commandLine().getOut().println(line);
    }

    final int failed(String reason) {
        spec.commandLine().getErr().println(reason);
        return FAILED;
    }

    final int done(String verb, Map<String, Long> rows, Path rowsFile) {
        long total = rows.values().stream().mapToLong(Long::longValue).sum();
        say(verb + " " + total + " rows of " + rows.size() + " tables, " + rowsFile);
        return DONE;
    }

    @Command(
            name = "export",
            description = "Writes the rows of the database to a file; an embedded one has to be stopped.",
            mixinStandardHelpOptions = true)
    static final class ToFile extends Transfer {
        @Override
        int move(OpenDatabase database, Path rows) throws SQLException, IOException {
            try (var connection = database.source().getConnection()) {
                if (Import.isUnused(connection, database.schema())) {
                    return failed("the schema " + database.schema() + " has no tables: there is nothing to export");
                }
                // It holds what clients asked: for the operator's eyes alone, and never over another file.
                Files.createFile(
                        rows, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                boolean whole = false;
                try (var out = Files.newOutputStream(rows, StandardOpenOption.WRITE)) {
                    Map<String, Long> written = Export.write(connection, database.schema(), out);
                    whole = true;
                    return done("exported", written, rows);
                } finally {
                    if (!whole) {
                        Files.deleteIfExists(rows);
                    }
                }
            }
        }
    }

    @Command(
            name = "import",
            description = "Fills a new database with the rows of an export, while no gateway runs on it.",
            mixinStandardHelpOptions = true)
    static final class FromFile extends Transfer {
        @Option(names = "--replace", description = "Removes the rows that the database has already.")
        private boolean replace;

        @Override
        int move(OpenDatabase database, Path rows) throws SQLException, IOException {
            boolean unused;
            try (var connection = database.source().getConnection()) {
                unused = Import.isUnused(connection, database.schema());
                if (!unused && !replace) {
                    return failed("the schema " + database.schema() + " is in use already; --replace removes its rows");
                }
                var gateways = Import.gatewaysOn(connection, database.schema());
                if (!gateways.isEmpty()) {
                    return failed("gateways run on this database: " + String.join(", ", gateways)
                            + "; stop them and wait 15 s");
                }
            }
            int result = FAILED;
            try (var in = Files.newInputStream(rows)) {
                Migrations.apply(database.source(), database.schema());
                result = load(database, in, rows);
                return result;
            } finally {
                if (unused && result != DONE) {
                    leaveNothing(database);
                }
            }
        }

        private int load(OpenDatabase database, InputStream in, Path rows) throws SQLException, IOException {
            try (var connection = database.source().getConnection()) {
                return switch (Import.load(connection, database.schema(), in, true)) {
                    case Import.Loaded loaded -> done("imported", loaded.rows(), rows);
                    case Import.Refused refused -> failed(refused.reason());
                };
            }
        }

        /** The tables were made for the rows. A gateway that came meanwhile keeps them. */
        private static void leaveNothing(OpenDatabase database) throws SQLException {
            boolean free;
            try (var connection = database.source().getConnection()) {
                free = Import.gatewaysOn(connection, database.schema()).isEmpty();
            }
            if (free) {
                Migrations.undo(database.source(), database.schema());
            }
        }
    }
}
