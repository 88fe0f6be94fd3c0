package dev.sluice.gateway.tasks;

import dev.sluice.gateway.http.Errand.Ended;
import dev.sluice.postgres.tasks.Job;
import io.vertx.core.buffer.Buffer;
import java.sql.SQLException;

/** What is shown of one execution beside its end. All but {@link #heard} on the execution's own thread. */
public interface Show {
    /** Nothing. */
    Show NONE = new Show() {
        @Override
        public void heard(Buffer bytes) {
            // The end tells everything.
        }

        @Override
        public boolean writes() {
            return false;
        }

        @Override
        public boolean write() {
            return true;
        }

        @Override
        public Ended ended(Ended ended) {
            return ended;
        }
    };

    /** An API that shows more of its tasks than their end. */
    interface Stage {
        /** Called when an execution begins. */
        Show begin(Job job) throws SQLException;
    }

    /** A piece of a successful answer, on the event loop, which must not wait. */
    void heard(Buffer bytes);

    /** Whether what was heard is to be written down before the end. */
    boolean writes();

    /** Writes down what was heard; false if this execution has lost its task. */
    boolean write() throws SQLException;

    /** How the execution ended for whoever looks at the task. */
    Ended ended(Ended ended) throws SQLException;
}
