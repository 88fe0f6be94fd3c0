package dev.sluice.bench.seedpg;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/** TaskAdmission, lines 67-81. */
public record SeedAdmission(
        String taskId,
        String platformId,
        String platformModelId,
        String userGroupId,
        String queueKey,
        String mode,
        String status,
        int priority,
        Instant enqueuedAt,
        Instant waitDeadlineAt,
        Optional<Instant> admittedAt,
        String waiterId,
        Optional<Instant> waiterLeaseExpires) {
    /** What each statement returns, for example lines 1113-1116. */
    static final String COLUMNS = """
            task_id::text, platform_id::text, platform_model_id::text,
            COALESCE(user_group_id::text, ''), queue_key, mode, status, priority,
            enqueued_at, wait_deadline_at, admitted_at,
            COALESCE(waiter_id, ''), waiter_lease_expires_at""";

    /** scanTaskAdmission, lines 1178-1204. */
    static SeedAdmission scan(ResultSet row) throws SQLException {
        return new SeedAdmission(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                row.getInt(8),
                row.getObject(9, OffsetDateTime.class).toInstant(),
                row.getObject(10, OffsetDateTime.class).toInstant(),
                instant(row, 11),
                row.getString(12),
                instant(row, 13));
    }

    private static Optional<Instant> instant(ResultSet row, int column) throws SQLException {
        return Optional.ofNullable(row.getObject(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }

    boolean waiting() {
        return status.equals("waiting");
    }

    boolean admitted() {
        return status.equals("admitted");
    }
}
