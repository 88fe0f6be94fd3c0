package dev.sluice.admission;

import java.util.UUID;

/** The task was never queued. */
public record Rejected(UUID task, Refusal refusal) implements Decision, Outcome {}
