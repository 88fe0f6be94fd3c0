package dev.sluice.bench.tasks;

import java.sql.SQLException;

/** What takes jobs and executes them, on a database of its own. */
interface Jobs extends AutoCloseable {
    int CALLERS_MAX = 256;
    /** Said by each job, and answered by it. */
    String TEXT = "x".repeat(100);

    /** So many callers insert so many jobs: each begins another one when its last is committed. */
    void insert(int jobs, int callers) throws Exception;

    /** Whether the end of every job that was inserted is committed. */
    boolean areDone() throws SQLException;

    /** Jobs that the database knows and that have not ended. */
    long left() throws SQLException;

    /** CPU of what executes them in a process of its own, in microseconds so far; 0 if that is this one. */
    default long cpuMicros() {
        return 0;
    }

    @Override
    void close();
}
