package dev.sluice.postgres.transfer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.postgres.TestDatabase;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TransferTest {
    /** The child's name sorts before its parent's, and the parent refers to itself. */
    private static final String TABLES = """
            CREATE TABLE z_parent (
                id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                before bigint REFERENCES z_parent,
                note text,
                twice bigint GENERATED ALWAYS AS (id * 2) STORED);
            CREATE TABLE a_child (
                id serial, parent bigint NOT NULL REFERENCES z_parent, body bytea, detail jsonb, "odd ""name" int[]);
            CREATE TABLE empty (id int);
            CREATE TABLE flyway_schema_history (
                installed_rank int, version text, checksum int, success boolean);
            """;

    private static final String ROWS = """
            INSERT INTO z_parent (before, note) VALUES (NULL, 'a,b "c"'), (1, NULL), (2, ''), (1, E'line\nbreak \\\\ ü 数');
            INSERT INTO a_child (parent, body, detail, "odd ""name")
            VALUES (1, '\\x00ff', '{"k": [1, null]}', '{1,2}'), (4, NULL, NULL, NULL);
            """;

    private static final List<String> CONTENT = List.of(
            "SELECT z_parent::text FROM z_parent ORDER BY id",
            "SELECT a_child::text FROM a_child ORDER BY id",
            "SELECT empty::text FROM empty");

    private static void run(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> content(TestDatabase database) throws SQLException {
        var lines = new ArrayList<String>();
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            for (var query : CONTENT) {
                try (var rows = statement.executeQuery(query)) {
                    while (rows.next()) {
                        lines.add(rows.getString(1));
                    }
                }
            }
        }
        return lines;
    }

    private static void make(TestDatabase database, int checksum) throws SQLException {
        try (var connection = database.connect()) {
            run(connection, TABLES);
            run(connection, "INSERT INTO flyway_schema_history VALUES (1, '1', " + checksum + ", true)");
        }
    }

    private static byte[] export(TestDatabase database) throws Exception {
        var out = new ByteArrayOutputStream();
        try (var connection = database.connect()) {
            var rows = Export.write(connection, database.schema(), out);
            assertThat(rows)
                    .containsExactly(Map.entry("empty", 0L), Map.entry("z_parent", 4L), Map.entry("a_child", 2L));
        }
        return out.toByteArray();
    }

    private static Import.Outcome load(TestDatabase database, byte[] file, boolean replace) throws Exception {
        try (var connection = database.connect()) {
            return Import.load(connection, database.schema(), new ByteArrayInputStream(file), replace);
        }
    }

    private static Object outcomeOrFailure(TestDatabase database, byte[] file) throws Exception {
        try {
            return load(database, file, true);
        } catch (IOException | SQLException damaged) {
            return damaged;
        }
    }

    @Test
    void everyRowArrivesAndTheSequencesGoOn() throws Exception {
        try (var source = TestDatabase.withFreshSchema();
                var target = TestDatabase.withFreshSchema()) {
            make(source, 7);
            make(target, 7);
            try (var connection = source.connect()) {
                run(connection, ROWS);
            }
            var before = content(source);
            assertThat(before).hasSize(6);

            assertThat(load(target, export(source), false))
                    .isEqualTo(new Import.Loaded(Map.of("empty", 0L, "z_parent", 4L, "a_child", 2L)));

            assertThat(content(target)).isEqualTo(before);
            try (var connection = target.connect()) {
                run(connection, "INSERT INTO z_parent (note) VALUES ('new')");
            }
            assertThat(content(target)).contains("(5,,new,10)");
            assertThat(content(source)).isEqualTo(before);
        }
    }

    @Test
    void rowsAreNotLostUnlessThatWasAskedFor() throws Exception {
        try (var source = TestDatabase.withFreshSchema();
                var target = TestDatabase.withFreshSchema()) {
            make(source, 7);
            make(target, 7);
            try (var connection = source.connect()) {
                run(connection, ROWS);
            }
            try (var connection = target.connect()) {
                run(connection, "INSERT INTO z_parent (note) VALUES ('precious')");
            }
            assertThat(load(target, export(source), false))
                    .isEqualTo(new Import.Refused("the schema " + target.schema() + " has rows already, in z_parent"));
            assertThat(content(target)).containsExactly("(1,,precious,2)");

            assertThat(load(target, export(source), true)).isInstanceOf(Import.Loaded.class);
            assertThat(content(target)).isEqualTo(content(source));
        }
    }

    @Test
    void aSchemaOfOtherMigrationsIsRefused() throws Exception {
        try (var source = TestDatabase.withFreshSchema();
                var target = TestDatabase.withFreshSchema()) {
            make(source, 7);
            make(target, 8);
            try (var connection = source.connect()) {
                run(connection, ROWS);
            }
            assertThat(load(target, export(source), true))
                    .isEqualTo(new Import.Refused("the export was made by migration 1 7, the schema " + target.schema()
                            + " here by migration 1 8; import it with the version of Sluice that made it"));
        }
    }

    @Test
    void aDamagedFileChangesNothing() throws Exception {
        try (var source = TestDatabase.withFreshSchema();
                var target = TestDatabase.withFreshSchema()) {
            make(source, 7);
            make(target, 7);
            try (var connection = source.connect()) {
                run(connection, ROWS);
            }
            try (var connection = target.connect()) {
                run(connection, "INSERT INTO z_parent (note) VALUES ('precious')");
            }
            var file = export(source);
            // What follows is the ZIP's own table of contents, which a reader of a stream does not need.
            var end = new String(file, ISO_8859_1).indexOf(Export.SEQUENCES);
            for (int i = 0; i <= 10; i++) {
                var cut = Arrays.copyOf(file, end * i / 10);
                assertThat(outcomeOrFailure(target, cut))
                        .as("cut to %d of %d bytes", cut.length, file.length)
                        .isNotInstanceOf(Import.Loaded.class);
                assertThat(content(target)).containsExactly("(1,,precious,2)");
            }
            assertThat(load(target, "no zip at all".getBytes(ISO_8859_1), true)).isInstanceOf(Import.Refused.class);
        }
    }
}
