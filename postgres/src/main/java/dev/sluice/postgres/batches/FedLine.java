package dev.sluice.postgres.batches;

import dev.sluice.postgres.tasks.NewTask;
import java.util.UUID;

/**
 * A line of a batch that becomes a task.
 *
 * @param line its number in the input, from 1
 * @param customId what the client calls it
 */
public record FedLine(NewTask task, UUID batch, int line, String customId) {
    public FedLine {
        if (line < 1) {
            throw new IllegalArgumentException("lines count from 1, not " + line);
        }
    }
}
