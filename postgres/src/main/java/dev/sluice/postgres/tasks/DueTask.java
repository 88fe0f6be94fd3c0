package dev.sluice.postgres.tasks;

import java.time.Duration;
import java.util.Set;
import java.util.UUID;

/**
 * A task whose next attempt is due.
 *
 * @param age since it was created
 * @param tried providers that failed it before
 */
public record DueTask(
        UUID task, String owner, String model, int priority, boolean longPrompt, Duration age, Set<String> tried) {}
