package dev.sluice.postgres.batches;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * A batch to be kept.
 *
 * @param window as its client wrote it
 * @param time what {@code window} means
 * @param metadata JSON of the client's
 * @param outputLife how long its files are kept; empty for the usual time
 * @param webhook which of the owner's webhooks hears of its end
 */
public record NewBatch(
        UUID id,
        String owner,
        String endpoint,
        UUID input,
        String window,
        Duration time,
        int priority,
        Optional<String> metadata,
        Optional<Duration> outputLife,
        Optional<String> webhook) {}
