package dev.sluice.bench.tasks;

import java.sql.SQLException;

/** What takes jobs and executes them, on a database of its own. */
interface Jobs extends AutoCloseable {
    int CALLERS_MAX = 256;
    /** Said by each job, and answered by it. */
    String TEXT = "x".repeat(100);

    /** Returns when the job is committed; at most one call of a caller at once. */
    void submit(int caller) throws Exception;

    /** Jobs whose end is committed, since the start. */
    long done() throws SQLException;

    /** Jobs that the database knows and that have not ended. */
    long left() throws SQLException;

    @Override
    void close();
}
