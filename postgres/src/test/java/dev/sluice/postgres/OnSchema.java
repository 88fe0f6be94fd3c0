package dev.sluice.postgres;

import dev.sluice.admission.TaskIds;
import dev.sluice.postgres.tasks.TaskStore;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** The tables of tasks, empty before each test. */
abstract class OnSchema {
    static LedgerSchema schema;
    final TaskIds ids = new TaskIds(() -> 0);
    TaskStore tasks;

    @BeforeAll
    static void create() throws SQLException {
        schema = LedgerSchema.create();
    }

    @AfterAll
    static void drop() throws SQLException {
        schema.close();
    }

    @BeforeEach
    void empty() throws SQLException {
        schema.empty();
        tasks = new TaskStore(schema.source(), schema.name());
    }
}
