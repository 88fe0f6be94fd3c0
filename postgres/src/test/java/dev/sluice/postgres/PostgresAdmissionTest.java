package dev.sluice.postgres;

import dev.sluice.admission.contract.AdmissionContract;
import dev.sluice.admission.contract.AdmissionFixture;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The durable engine keeps the contract. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresAdmissionTest extends AdmissionContract {
    private LedgerSchema schema;

    @BeforeAll
    void migrate() throws SQLException {
        schema = LedgerSchema.create();
    }

    @AfterAll
    void drop() throws SQLException {
        schema.close();
    }

    @Override
    protected AdmissionFixture newFixture() {
        return new PostgresFixture(schema);
    }
}
