package dev.sluice.gateway;

import dev.sluice.postgres.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** For tests of gateways that keep what they are given: each has a schema of its own. */
abstract class OnDatabase {
    TestDatabase database;

    @BeforeEach
    void createSchema() throws SQLException {
        database = TestDatabase.withFreshSchema();
    }

    @AfterEach
    void dropSchema() throws SQLException {
        database.close();
    }

    /** @param more lines of the configuration beside those of {@link RunningGateway#oneProvider} */
    final RunningGateway gateway(RawUpstream upstream, String concurrency, String more) {
        return RunningGateway.startOn(database, RunningGateway.oneProvider(upstream.url(), 4, concurrency) + more);
    }
}
