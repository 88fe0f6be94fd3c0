package dev.sluice.gateway.tasks;

import dev.sluice.gateway.http.Errand.Ended;
import dev.sluice.postgres.tasks.Job;
import io.vertx.core.buffer.Buffer;
import java.sql.SQLException;

/** What is shown of one execution beside its end. All but {@link #heard} on the execution's own thread. */
@FunctionalInterface
public interface Show {
    /** Nothing: the end tells everything. */
    Show NONE = ended -> ended;

    /** An API that shows more of its tasks than their end. */
    interface Stage {
        /** Called when an execution begins. */
        Show begin(Job job) throws SQLException;
    }

    /** A piece of a successful answer, on the event loop, which must not wait. */
    default void heard(Buffer bytes) {}

    /** Whether what was heard is to be written down before the end. */
    default boolean writes() {
        return false;
    }

    /** Writes down what was heard; false if this execution has lost its task. */
    default boolean write() throws SQLException {
        return true;
    }

    /** How the execution ended for whoever looks at the task. */
    Ended ended(Ended ended) throws SQLException;
}
