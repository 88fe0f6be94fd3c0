package dev.sluice.admission;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * One task of the ledger.
 *
 * @param epoch the current one; 0 while it was never admitted
 * @param age since it was first queued or admitted
 * @param deadlineIn until its wait ends; empty without a deadline or when admitted
 * @param leases empty while it waits
 */
public record TaskView(
        UUID task,
        boolean waiting,
        boolean sync,
        int priority,
        long sequence,
        long epoch,
        List<Demand> demands,
        Optional<Routing> routing,
        Optional<Placement> placement,
        List<Lease> leases,
        Duration age,
        Optional<Duration> deadlineIn,
        Optional<WaitReason> reason,
        int overtakes,
        String label) {}
