package dev.sluice.gateway.config;

import java.time.Duration;

/**
 * Files that clients upload, and those that batches write.
 *
 * @param maxSizeBytes the largest upload, 1 KiB to 1 GiB
 * @param quotaBytes the most that all files of one group may have together, unless the group says otherwise
 * @param retention how long a file is kept, 1 ms to 3,660 days
 */
public record Files(long maxSizeBytes, long quotaBytes, Duration retention) {
    static final Range<Long> MAX_SIZE = Range.of(1L << 10, 1L << 30);
    static final Range<Long> QUOTA = Range.of(1L << 10, 1L << 50);
    static final Range<Duration> RETENTION = Range.of(Duration.ofMillis(1), Duration.ofDays(3_660));
    public static final Files DEFAULT = new Files(200L << 20, 10L << 30, Duration.ofDays(30));

    public Files {
        MAX_SIZE.require("max-size", maxSizeBytes);
        QUOTA.require("quota", quotaBytes);
        RETENTION.require("retention", retention);
    }
}
