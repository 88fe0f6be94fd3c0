package dev.sluice.gateway.responses;

import dev.sluice.postgres.responses.EventStore;
import dev.sluice.postgres.responses.EventStore.Events;
import dev.sluice.postgres.tasks.Job;
import io.vertx.core.buffer.Buffer;
import java.sql.SQLException;
import tools.jackson.databind.node.ObjectNode;

/** Numbers the events of one execution and writes them down, several at once. On one thread. */
final class EventWriter {
    private static final int ROW_BYTES = 256 << 10;

    private final EventStore store;
    private final Job job;
    private final String worker;
    private long first;
    private int count;
    private Buffer gathered = Buffer.buffer();
    private boolean lost;

    EventWriter(EventStore store, Job job, String worker, long first) {
        this.store = store;
        this.job = job;
        this.worker = worker;
        this.first = first;
    }

    void add(ObjectNode event) throws SQLException {
        gathered.appendBuffer(Json.event(event.put("sequence_number", first + count)));
        count++;
        if (gathered.length() >= ROW_BYTES) {
            flush();
        }
    }

    /** Writes what was added; false if the execution has lost its task. If that fails, the next time writes it too. */
    boolean flush() throws SQLException {
        if (count > 0 && !lost) {
            lost = !store.append(job, worker, new Events(first, count, gathered.getBytes()));
            first += count;
            count = 0;
            gathered = Buffer.buffer();
        }
        return !lost;
    }
}
