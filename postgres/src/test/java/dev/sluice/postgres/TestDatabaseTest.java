package dev.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TestDatabaseTest {
    @Test
    void eachTestSeesItsOwnSchemaAlone() throws Exception {
        try (var one = TestDatabase.withFreshSchema();
                var other = TestDatabase.withFreshSchema()) {
            try (var connection = one.connect();
                    var statement = connection.createStatement()) {
                statement.execute("CREATE TABLE mine (id bigint)");
            }
            try (var connection = other.connect();
                    var statement = connection.createStatement()) {
                assertThatThrownBy(() -> statement.execute("SELECT * FROM mine"))
                        .hasMessageContaining("relation \"mine\" does not exist");
            }
        }
    }

    @Test
    void theApplicationIsNoSuperuserWhateverTheServer() throws Exception {
        try (var database = TestDatabase.withFreshSchema();
                var connection = database.connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT current_schema(), current_setting('is_superuser')")) {
            row.next();
            assertThat(row.getString(1)).isEqualTo(database.schema());
            assertThat(row.getString(2)).isEqualTo("off");
        }
    }

    @Test
    void theServerIsTheOneThatWasAskedFor() throws Exception {
        try (var database = TestDatabase.withFreshSchema();
                var connection = database.connect()) {
            var major = connection.getMetaData().getDatabaseMajorVersion();
            switch (System.getProperty("sluice.test.postgres", "embedded")) {
                case "embedded" -> assertThat(major).isEqualTo(18);
                case "system" -> assertThat(major).isLessThan(18);
                default -> assertThat(major).isBetween(15, 18);
            }
        }
    }
}
