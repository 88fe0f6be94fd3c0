package dev.sluice.bench.seedpg;

/** The error values of the seed: ErrTaskExecutionFinished, QueueTimeoutError, RateLimitExceededError. */
public final class SeedRefusal extends Exception {
    private static final long serialVersionUID = 1L;

    /** Which of them. */
    public enum Kind {
        TASK_FINISHED,
        QUEUE_TIMEOUT,
        CONCURRENT,
        QUEUE_FULL
    }

    private final Kind kind;

    SeedRefusal(Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
