package dev.sluice.postgres.batches;

/** A line must not be fed. Thrown inside a hook, to take its admission back. */
public final class NotFedException extends Exception {
    private static final long serialVersionUID = 1;
    private final boolean before;

    NotFedException(boolean before) {
        super(
                before ? "the line was fed before" : "the batch is not to be fed by this process now",
                null,
                false,
                false);
        this.before = before;
    }

    /** Whether it was fed before; else the batch is somebody else's, or in another state. */
    public boolean wasFedBefore() {
        return before;
    }
}
