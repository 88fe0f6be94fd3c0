package dev.sluice.postgres.batches;

import dev.sluice.postgres.tasks.StoredTask.Answer;
import dev.sluice.postgres.tasks.StoredTask.Failure;
import dev.sluice.postgres.tasks.StoredTask.State;
import java.util.Optional;
import java.util.UUID;

/** What became of a line. */
public record EndedLine(
        int line, UUID task, String customId, State state, Optional<Answer> answer, Optional<Failure> failure) {}
