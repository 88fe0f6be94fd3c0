package dev.sluice.admission;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The task may run and holds all its leases. Whoever received this owes exactly one {@link Admission#release}.
 *
 * @param epoch the fencing token: a release or renewal that names another epoch changes nothing
 * @param leases one for each scope, provider scopes included, sorted by scope
 * @param placement where to run, present iff the ask had a routing
 * @param newly false when the task was admitted before and this ask only found it so
 * @param leaseTtl all leases expire together this long after the last renewal
 * @param waited how long the task was in the queue
 * @param provisional true until {@link Admission#confirm}: the grant was made for a waiter of another process
 */
public record Admitted(
        UUID task,
        long epoch,
        List<Lease> leases,
        Optional<Placement> placement,
        boolean newly,
        Duration leaseTtl,
        Duration waited,
        boolean provisional)
        implements Decision, Outcome {}
