package dev.sluice.postgres.files;

import java.time.Instant;
import java.util.UUID;

/**
 * A complete file.
 *
 * @param owner the group it belongs to
 * @param name as its client called it
 */
public record StoredFile(
        UUID id, String owner, String name, Purpose purpose, long bytes, Instant created, Instant expires) {

    /** What a file is for. */
    public enum Purpose {
        /** The requests of a batch. */
        BATCH,
        /** What came of them. */
        BATCH_OUTPUT
    }
}
