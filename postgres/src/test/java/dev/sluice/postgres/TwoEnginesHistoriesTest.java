package dev.sluice.postgres;

import dev.sluice.admission.contract.AdmissionFixture;
import dev.sluice.admission.histories.HistoryContract;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Two durable engines over one database agree with the one naive ledger. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TwoEnginesHistoriesTest extends HistoryContract {
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
        return new PostgresFixture(schema, 2);
    }

    @Override
    protected boolean reloads() {
        return false;
    }

    @Override
    protected int histories() {
        return 5;
    }
}
