package dev.sluice.postgres.tasks;

import dev.sluice.postgres.tasks.StoredTask.Answer;
import dev.sluice.postgres.tasks.StoredTask.Failure;
import dev.sluice.postgres.tasks.StoredTask.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A row of the table {@code task}, by the names of its columns. */
public final class TaskRow {
    private TaskRow() {}

    public static StoredTask read(ResultSet row) throws SQLException {
        String code = row.getString("error_code");
        byte[] body = row.getBytes("response");
        String type = row.getString("response_type");
        return new StoredTask(
                row.getObject("id", UUID.class),
                row.getString("owner"),
                state(row.getString("state")),
                row.getInt("attempts"),
                instant(row, "created").orElseThrow(),
                instant(row, "started"),
                instant(row, "finished"),
                code == null
                        ? Optional.empty()
                        : Optional.of(new Failure(row.getString("error_type"), code, row.getString("error_message"))),
                // An answer without a type was only brought here beforehand.
                body == null || type == null
                        ? Optional.empty()
                        : Optional.of(new Answer(row.getInt("status"), type, body)));
    }

    static State state(String word) {
        return State.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
        @Nullable OffsetDateTime at = row.getObject(column, OffsetDateTime.class);
        return Optional.ofNullable(at).map(OffsetDateTime::toInstant);
    }
}
