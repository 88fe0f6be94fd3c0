package dev.sluice.gateway.http;

import java.time.Duration;
import java.util.Optional;

/**
 * An error of ours, before a dialect puts it into bytes.
 *
 * @param message for the caller: what happened and what to do
 * @param param the field or header at fault
 * @param retryAfter when another try may help; sent as whole seconds, 1 to 60
 * @param retryHelps false sends {@code x-should-retry: false}, which official clients heed
 * @param sharedCapacity whether what lacks is shared by all groups, and not a limit of the caller's own
 */
public record Problem(
        Fault fault,
        String message,
        Optional<String> param,
        Optional<Duration> retryAfter,
        boolean retryHelps,
        boolean sharedCapacity) {
    private static final long RETRY_SECONDS_MAX = 60;

    public static Problem of(Fault fault, String message) {
        // Clients retry 409 and 5xx on their own; 4xx of this table they must not.
        boolean helps = fault.status() >= 500;
        return new Problem(fault, message, Optional.empty(), Optional.empty(), helps, false);
    }

    public Problem at(String field) {
        return new Problem(fault, message, Optional.of(field), retryAfter, retryHelps, sharedCapacity);
    }

    public Problem retryAfter(Duration delay) {
        return new Problem(fault, message, param, Optional.of(delay), true, sharedCapacity);
    }

    public Problem noRetry() {
        return new Problem(fault, message, param, Optional.empty(), false, sharedCapacity);
    }

    Problem sharedCapacity(boolean shared) {
        return new Problem(fault, message, param, retryAfter, retryHelps, shared);
    }

    /** Whole seconds, rounded up, 1 to 60; 0 if there is no such advice. */
    public long retryAfterSeconds() {
        return retryAfter.map(Problem::seconds).orElse(0L);
    }

    static long seconds(Duration delay) {
        long up = delay.toSeconds() + (delay.toNanosPart() > 0 ? 1 : 0);
        return Math.clamp(up, 1, RETRY_SECONDS_MAX);
    }
}
