package dev.sluice.postgres.tasks;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A task whose next attempt is due.
 *
 * @param age since it was created, or lined up anew by an operator
 * @param left until its own deadline, may be negative; empty if it has none
 * @param tried providers that failed it before
 */
public record DueTask(
        UUID task,
        String owner,
        String model,
        int priority,
        boolean longPrompt,
        Duration age,
        Optional<Duration> left,
        Set<String> tried) {}
