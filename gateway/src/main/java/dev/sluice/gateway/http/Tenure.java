package dev.sluice.gateway.http;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Held;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How long a grant that is being used still lasts, as far as its holder can know. */
final class Tenure {
    private @Nullable Admitted grant;
    /** When a renewal was last asked for. */
    private long renewed;
    /** Since when the lease runs, at the least: when the newest renewal that was heard of was asked for. */
    private long leased;

    void begin(Admitted granted, long now) {
        grant = granted;
        renewed = now;
        leased = now;
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

    /** A renewal that was asked for at {@code asked} has come about. */
    void renewed(Held lease, long asked) {
        if (isOf(lease)) {
            leased = Math.max(leased, asked);
        }
    }

    /** Whether it still is this grant: its task may have moved on. */
    boolean isOf(Held lease) {
        Admitted own = grant;
        return own != null && own.task().equals(lease.task()) && own.epoch() == lease.epoch();
    }

    /** Whether nothing was heard of a renewal for a whole TTL: others may hold by now what it held. */
    boolean over(long now) {
        Admitted lease = grant;
        return lease != null && now - leased >= lease.leaseTtl().toNanos();
    }
}
