package dev.sluice.postgres.batches;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A batch as it is kept.
 *
 * @param endpoint the API of its lines, for example {@code /v1/chat/completions}
 * @param input the file with its lines
 * @param window how long it may take, as its client wrote it
 * @param metadata JSON of the client's
 * @param errors JSON: why its input was refused
 * @param outputLife how long its files are kept; empty for the usual time
 * @param times when it entered its states
 */
public record StoredBatch(
        UUID id,
        String owner,
        State state,
        String endpoint,
        UUID input,
        Optional<UUID> output,
        Optional<UUID> errorFile,
        String window,
        int priority,
        Optional<String> metadata,
        Optional<String> errors,
        Optional<Duration> outputLife,
        Counts counts,
        Times times) {

    /** Where a batch is in its life. */
    public enum State {
        VALIDATING,
        FAILED,
        IN_PROGRESS,
        FINALIZING,
        COMPLETED,
        EXPIRED,
        CANCELLING,
        CANCELLED;

        public boolean isFinal() {
            return this == FAILED || this == COMPLETED || this == EXPIRED || this == CANCELLED;
        }
    }

    /** Lines; those that neither succeeded nor failed are still to come. */
    public record Counts(int total, int completed, int failed) {}

    /** @param deadline when what has not ended is given up */
    public record Times(
            Instant created,
            Instant deadline,
            Optional<Instant> started,
            Optional<Instant> finalizing,
            Optional<Instant> cancelling,
            Optional<Instant> finished) {}
}
