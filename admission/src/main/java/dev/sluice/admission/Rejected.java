package dev.sluice.admission;

import java.util.UUID;

/** The task was never queued. */
public record Rejected(UUID task, Refusal refusal) implements Decision, Outcome {
    /** The answer of an engine that is closed. */
    public static Rejected shuttingDown(Ask ask) {
        return new Rejected(ask.task(), Refusals.shuttingDown(ask));
    }
}
