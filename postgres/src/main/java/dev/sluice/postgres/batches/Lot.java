package dev.sluice.postgres.batches;

/**
 * A batch that this process feeds.
 *
 * @param fedLine all lines up to this one were fed
 * @param fedBytes where the next one begins in the file
 */
public record Lot(StoredBatch batch, int fedLine, long fedBytes) {}
