package dev.sluice.admission;

import java.util.UUID;

/**
 * The task is in the queue and holds nothing.
 *
 * @param reason what it waits for
 */
public record Waiting(UUID task, WaitReason reason) implements Decision {}
