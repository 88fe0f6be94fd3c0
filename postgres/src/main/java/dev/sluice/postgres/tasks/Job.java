package dev.sluice.postgres.tasks;

import java.util.Set;
import java.util.UUID;

/**
 * An admitted task that this process picked up to execute.
 *
 * @param epoch of its grant, the fencing token
 * @param attempt from 1
 * @param tried providers that failed it before
 */
public record Job(
        UUID task,
        long epoch,
        String owner,
        String model,
        String path,
        int attempt,
        byte[] request,
        String headers,
        Set<String> tried) {}
