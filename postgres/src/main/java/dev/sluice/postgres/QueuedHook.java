package dev.sluice.postgres;

import java.sql.Connection;

/** Work of an embedding service that joins the transaction that registers one task. */
@FunctionalInterface
public interface QueuedHook {
    /** @throws Exception anything: then the task was never asked for */
    void run(Connection connection) throws Exception;
}
