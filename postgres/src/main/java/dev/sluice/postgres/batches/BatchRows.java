package dev.sluice.postgres.batches;

import dev.sluice.postgres.batches.StoredBatch.Counts;
import dev.sluice.postgres.batches.StoredBatch.State;
import dev.sluice.postgres.batches.StoredBatch.Times;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads rows of the table of batches. */
final class BatchRows {
    static final String COLUMNS = """
            b.id, b.owner, b.state, b.endpoint, b.input, b.output, b.errors_file, b.time_window, b.priority, b.metadata,
            b.errors, b.output_ttl, b.total, b.completed, b.failed, b.created, b.deadline, b.started, b.finalizing,
            b.cancelling, b.finished
            """;

    private BatchRows() {}

    static StoredBatch read(ResultSet row) throws SQLException {
        return new StoredBatch(
                row.getObject("id", UUID.class),
                row.getString("owner"),
                state(row.getString("state")),
                row.getString("endpoint"),
                row.getObject("input", UUID.class),
                Optional.ofNullable(row.getObject("output", UUID.class)),
                Optional.ofNullable(row.getObject("errors_file", UUID.class)),
                row.getString("time_window"),
                row.getInt("priority"),
                Optional.ofNullable(row.getString("metadata")),
                Optional.ofNullable(row.getString("errors")),
                Optional.ofNullable(row.getObject("output_ttl", Long.class)).map(Duration::ofMillis),
                new Counts(row.getInt("total"), row.getInt("completed"), row.getInt("failed")),
                new Times(
                        instant(row, "created").orElseThrow(),
                        instant(row, "deadline").orElseThrow(),
                        instant(row, "started"),
                        instant(row, "finalizing"),
                        instant(row, "cancelling"),
                        instant(row, "finished")));
    }

    static State state(String word) {
        return State.valueOf(word.toUpperCase(Locale.ROOT));
    }

    static String word(State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
        @Nullable OffsetDateTime at = row.getObject(column, OffsetDateTime.class);
        return Optional.ofNullable(at).map(OffsetDateTime::toInstant);
    }
}
