package dev.sluice.postgres.responses;

import dev.sluice.postgres.tasks.StoredTask;
import java.util.Optional;

/**
 * A response as it is kept.
 *
 * @param task how the task stands that makes it; empty if a client waited for it
 * @param body the response object as it was kept: for a task, before there was an answer
 */
public record StoredResponse(String id, Optional<StoredTask> task, boolean streamed, byte[] body) {}
