package dev.sluice.gateway.http;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Held;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How long a grant that is being used still lasts for certain, by the monotonic clock alone: a process that was paused,
 * or cut off from the ledger, must stop by itself before somebody else gets the slot.
 */
final class Tenure {
    /** What ending the work takes, so that it has ended when the lease does. */
    private static final long MARGIN_NANOS_MAX = Duration.ofSeconds(1).toNanos();

    private @Nullable Admitted grant;
    /** When a renewal was last asked for. */
    private long renewed;
    /** From here on the slot may be somebody else's, but for the margin. */
    private long until;

    /**
     * Begins to use a grant.
     *
     * @param left of its lease, as the ledger knows
     * @return false if that is too little to begin anything: two thirds of the TTL went by without a renewal
     */
    boolean begin(Admitted granted, Duration left) {
        if (left.compareTo(granted.leaseTtl().dividedBy(3)) < 0) {
            return false;
        }
        grant = granted;
        renewed = System.nanoTime();
        until = renewed + left.toNanos() - margin(granted);
        return true;
    }

    /** What must be renewed now, if anything: it is asked for {@code perTtl} times in a TTL. */
    Optional<Held> renewal(long now, long perTtl) {
        Admitted lease = grant;
        if (lease == null || now - renewed < lease.leaseTtl().toNanos() / perTtl) {
            return Optional.empty();
        }
        renewed = now;
        return Optional.of(new Held(lease.task(), lease.epoch()));
    }

    /** A renewal that was asked for at {@code asked}, which is never later than it took place, has come about. */
    void renewed(Held lease, long asked) {
        Admitted own = grant;
        if (own != null && isOf(lease)) {
            until = Math.max(until, asked + own.leaseTtl().toNanos() - margin(own));
        }
    }

    /** Whether it still is this grant: its task may have moved on. */
    boolean isOf(Held lease) {
        Admitted own = grant;
        return own != null && own.task().equals(lease.task()) && own.epoch() == lease.epoch();
    }

    boolean isCertain() {
        return until - System.nanoTime() > 0;
    }

    private static long margin(Admitted lease) {
        return Math.min(MARGIN_NANOS_MAX, lease.leaseTtl().toNanos() / 4);
    }
}
