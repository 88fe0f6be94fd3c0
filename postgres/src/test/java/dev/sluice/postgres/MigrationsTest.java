package dev.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.sluice.admission.AdmissionUnavailableException;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Policies;
import dev.sluice.admission.Scope;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A schema")
class MigrationsTest {
    private LedgerSchema schema;

    @BeforeEach
    void open() throws SQLException {
        schema = LedgerSchema.create();
    }

    @AfterEach
    void close() throws SQLException {
        schema.close();
    }

    @Test
    @DisplayName("that this version made is taken as it is")
    void theSecondStartChangesNothing() {
        assertThatCode(() -> Migrations.apply(schema.source(), schema.name())).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("of a later version is refused, and left as it is")
    void aLaterVersionIsRefused() throws SQLException {
        laterVersion();
        int before = schema.number("select count(*) from flyway_schema_history");

        assertThatExceptionOfType(OtherVersionException.class)
                .isThrownBy(() -> Migrations.apply(schema.source(), schema.name()))
                .withMessageContaining('"' + schema.name() + '"')
                .withMessageContaining("another version of Sluice");

        assertThat(schema.number("select count(*) from flyway_schema_history")).isEqualTo(before);
    }

    @Test
    @DisplayName("whose migrations were others is refused")
    void anotherMigrationOfTheSameNumberIsRefused() throws SQLException {
        schema.execute("update flyway_schema_history set checksum = checksum + 1 where version = '1'");

        assertThatExceptionOfType(OtherVersionException.class)
                .isThrownBy(() -> Migrations.apply(schema.source(), schema.name()));
    }

    @Test
    @DisplayName("of a later version keeps an engine out, which says why until somebody mends it")
    void anEngineSaysWhyItStaysOut() throws SQLException {
        laterVersion();
        try (PostgresAdmission engine =
                PostgresAdmission.start(schema.source(), Policies.NONE, Options.of(schema.name(), "one"))) {
            Ask ask = Ask.sync(UUID.randomUUID(), "waiter", "one", 100, List.of(Demand.one(Scope.userGroup("a"))));
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThatExceptionOfType(CompletionException.class)
                            .isThrownBy(() -> engine.submit(ask)
                                    .decision()
                                    .toCompletableFuture()
                                    .join())
                            .withCauseInstanceOf(AdmissionUnavailableException.class)
                            .withMessageContaining("another version of Sluice"));

            schema.execute("delete from flyway_schema_history where version = '99'");

            await().atMost(Duration.ofSeconds(20)).until(engine::isAvailable);
        }
    }

    private void laterVersion() throws SQLException {
        schema.execute("""
                insert into flyway_schema_history (installed_rank, version, description, type, script, checksum,
                                                   installed_by, execution_time, success)
                values (99, '99', 'later', 'SQL', 'V99__later.sql', 1, current_user, 1, true)
                """);
    }
}
