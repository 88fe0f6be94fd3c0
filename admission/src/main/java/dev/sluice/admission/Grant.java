package dev.sluice.admission;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an admitted task holds.
 *
 * @param epoch the fencing token
 * @param at when it was granted
 * @param ttl nanoseconds that a renewal extends it by
 * @param expiresAt when all leases lapse together
 * @param provisional made for a waiter of another process, which has not confirmed it yet
 * @param rotatedFrom the provider the route chose before, so that an abandoned grant does not move the rotation
 */
public record Grant(
        long epoch,
        List<Lease> leases,
        @Nullable Placement placement,
        long at,
        long ttl,
        long expiresAt,
        boolean provisional,
        String rotatedFrom) {
    Grant until(long later) {
        return new Grant(epoch, leases, placement, at, ttl, later, provisional, rotatedFrom);
    }

    Grant confirmed(long later) {
        return new Grant(epoch, leases, placement, at, ttl, later, false, rotatedFrom);
    }
}
