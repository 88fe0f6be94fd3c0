package dev.sluice.admission;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * The task left the queue without running.
 *
 * @param blockedBy what it waited for when it left
 * @param waited how long it was in the queue
 * @param retryAfter when another try is likely to be admitted, from the drain rate of what it waited for
 */
public record Evicted(UUID task, Eviction reason, Optional<WaitReason> blockedBy, Duration waited, Duration retryAfter)
        implements Outcome {}
