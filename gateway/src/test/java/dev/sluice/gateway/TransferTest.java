package dev.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.postgres.Migrations;
import dev.sluice.postgres.embedded.EmbeddedPostgres;
import dev.sluice.postgres.embedded.Options;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

@DisplayName("The commands export and import")
class TransferTest {
    @TempDir
    static Path folder;

    private static EmbeddedPostgres server;

    private record Answer(int exit, String text) {}

    @BeforeAll
    static void startServer() throws Exception {
        // The server may run as another user, to whom JUnit's folder is closed.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        server = EmbeddedPostgres.start(Options.in(folder.resolve("server")));
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static Answer sluice(String... arguments) {
        var output = new StringWriter();
        var line = Main.commandLine().setOut(new PrintWriter(output)).setErr(new PrintWriter(output));
        return new Answer(line.execute(arguments), output.toString());
    }

    private static String configuration(String schema) throws Exception {
        var file = folder.resolve(schema + ".yaml");
        Files.writeString(file, """
                database: {mode: external, url: "%s", schema: %s, user: %s, password: "%s"}
                platforms:
                  - {id: p, providers: [{id: a, node: a, type: simulated, capacity: 1}]}
                models:
                  - {id: m, served-by: [{platform: p, model: m}]}
                groups:
                  - {id: g, keys: [{name: k, sha256: "%s"}]}
                """.formatted(server.url(), schema, server.user(), server.password(), "0".repeat(64)));
        return file.toString();
    }

    private static void migrate(String schema) {
        var source = new PGSimpleDataSource();
        source.setUrl(server.url());
        source.setUser(server.user());
        source.setPassword(server.password());
        Migrations.apply(source, schema);
    }

    private static String one(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(server.url(), server.user(), server.password());
                var statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            var row = statement.getResultSet();
            return row.next() ? row.getString(1) : "nothing";
        }
    }

    private static void addTask(String schema) throws SQLException {
        one("INSERT INTO " + schema + ".task (id, owner, model, path) VALUES"
                + " (gen_random_uuid(), 'research', 'm', '/v1/chat/completions')");
    }

    @Test
    void moveEveryRowIntoANewSchema() throws Exception {
        migrate("source");
        addTask("source");
        var file = folder.resolve("rows.zip");

        var exported = sluice("export", "--config", configuration("source"), file.toString());
        assertThat(exported.text()).startsWith("exported ");
        assertThat(exported.exit()).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");

        var imported = sluice("import", "--config", configuration("target"), file.toString());
        assertThat(imported.text()).isEqualTo(exported.text().replace("exported", "imported"));
        assertThat(imported.exit()).isZero();
        for (var table : List.of("task", "journal")) {
            var rows = "SELECT string_agg(t::text, ',') FROM %s." + table + " t";
            assertThat(one(rows.formatted("target"))).contains(",").isEqualTo(one(rows.formatted("source")));
        }
    }

    @Test
    void doNotTouchASchemaOfAnotherVersion() throws Exception {
        migrate("ours");
        migrate("later");
        one("UPDATE later.flyway_schema_history SET version = '99' WHERE version = '1'");
        var file = folder.resolve("ours.zip");
        assertThat(sluice("export", "--config", configuration("ours"), file.toString())
                        .exit())
                .isZero();

        var refused = sluice("import", "--replace", "--config", configuration("later"), file.toString());

        assertThat(refused.text())
                .startsWith("the schema \"later\" was made by another version of Sluice")
                .hasLineCount(1);
        assertThat(refused.exit()).isEqualTo(1);
    }

    @Test
    void losesNothingUnlessItIsAskedTo() throws Exception {
        migrate("replacing");
        addTask("replacing");
        migrate("precious");
        addTask("precious");
        var before = one("SELECT id FROM precious.task");
        var file = folder.resolve("replacing.zip");
        assertThat(sluice("export", "--config", configuration("replacing"), file.toString())
                        .exit())
                .isZero();

        var again = sluice("export", "--config", configuration("precious"), file.toString());
        assertThat(again.exit()).isEqualTo(1);
        assertThat(again.text()).isEqualTo(file + " is there already: nothing is written over it\n");

        var refused = sluice("import", "--config", configuration("precious"), file.toString());
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.text()).contains("the schema precious is in use already; --replace");
        assertThat(one("SELECT id FROM precious.task")).isEqualTo(before);

        one("INSERT INTO precious.holder VALUES ('gateway-7', now(), now() + interval '15 s', 0)");
        var running = sluice("import", "--replace", "--config", configuration("precious"), file.toString());
        assertThat(running.exit()).isEqualTo(1);
        assertThat(running.text()).contains("gateways run on this database: gateway-7");
        assertThat(one("SELECT id FROM precious.task")).isEqualTo(before);

        one("DELETE FROM precious.holder");
        assertThat(sluice("import", "--replace", "--config", configuration("precious"), file.toString())
                        .exit())
                .isZero();
        assertThat(one("SELECT id FROM precious.task")).isEqualTo(one("SELECT id FROM replacing.task"));
    }

    @Test
    void sayWhatIsWrong() throws Exception {
        var none = sluice(
                "export",
                "--config",
                configuration("nothing_here"),
                folder.resolve("none.zip").toString());
        assertThat(none)
                .isEqualTo(new Answer(1, "the schema nothing_here has no tables: there is nothing to export\n"));
        assertThat(folder.resolve("none.zip")).doesNotExist();

        var garbage =
                Files.writeString(folder.resolve("garbage.zip"), "garbage").toString();
        var damaged = sluice("import", "--config", configuration("fresh"), garbage);
        assertThat(damaged.exit()).isEqualTo(1);
        assertThat(damaged.text()).contains("the file is no export of this version of Sluice");
        assertThat(one("SELECT count(*) FROM pg_namespace WHERE nspname = 'fresh'"))
                .isEqualTo("0");
    }

    @Test
    void nameTheFileThatIsMissingOrDamaged() throws Exception {
        migrate("whole");
        addTask("whole");
        var config = configuration("whole");
        var whole = folder.resolve("whole.zip");
        var half = folder.resolve("half.zip");
        var nowhere = folder.resolve("nowhere/rows.zip");

        assertThat(sluice("export", "--config", config, nowhere.toString()))
                .isEqualTo(new Answer(1, "there is no " + nowhere + "\n"));
        assertThat(sluice("import", "--config", configuration("nowhere"), nowhere.toString()))
                .isEqualTo(new Answer(1, "there is no " + nowhere + "\n"));
        assertThat(sluice("export", "--config", config, whole.toString()).exit())
                .isZero();
        byte[] bytes = Files.readAllBytes(whole);
        Files.write(half, Arrays.copyOf(bytes, bytes.length / 3));

        assertThat(sluice("import", "--config", configuration("damaged"), half.toString()))
                .isEqualTo(new Answer(1, "the file ends too early: it is damaged\n"));
        assertThat(sluice("import", "--config", configuration("damaged"), whole.toString()))
                .as("the next one, which needs no --replace")
                .extracting(Answer::exit)
                .isEqualTo(0);
        assertThat(one("SELECT id FROM damaged.task")).isEqualTo(one("SELECT id FROM whole.task"));
    }

    @Test
    void keepASchemaThatWasThereBeforeAFailedImport() throws Exception {
        one("CREATE SCHEMA emptied");
        migrate("kept");
        addTask("kept");
        var garbage = Files.writeString(folder.resolve("no.zip"), "garbage").toString();

        assertThat(sluice("import", "--config", configuration("emptied"), garbage)
                        .exit())
                .isEqualTo(1);
        assertThat(sluice("import", "--replace", "--config", configuration("kept"), garbage)
                        .exit())
                .isEqualTo(1);

        assertThat(one("SELECT count(*) FROM pg_namespace WHERE nspname = 'emptied'"))
                .isEqualTo("1");
        assertThat(one("SELECT count(*) FROM pg_tables WHERE schemaname = 'emptied'"))
                .isEqualTo("0");
        assertThat(one("SELECT count(*) FROM kept.task")).isEqualTo("1");
    }
}
