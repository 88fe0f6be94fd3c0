package dev.sluice.bench.seed;

/** The seed's error values; without a stack trace, since a Go error has none and the port must not pay for it. */
public final class SeedRefusal extends Exception {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Kind {
        QUEUE_FULL,
        QUEUE_TIMEOUT,
        INELIGIBLE,
        CANCELLED
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
