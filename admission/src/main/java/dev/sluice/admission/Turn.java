package dev.sluice.admission;

import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * One claim on one task. Neither stage is ever completed exceptionally by a refusal; an exception is an outage of the
 * engine ({@link AdmissionUnavailableException}) or a bug.
 *
 * @param decision the first answer
 * @param outcome how it ended; the same answer when it never waited. When it was taken over by another waiter, the
 *     outcome is {@link Evicted} with {@link Eviction#SUPERSEDED}.
 */
public record Turn(UUID task, CompletionStage<Decision> decision, CompletionStage<Outcome> outcome) {}
