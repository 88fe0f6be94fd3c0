package dev.sluice.postgres.tasks;

import java.util.UUID;

/** The owner's idempotency key stands for another task already. Thrown inside a hook, to take its admission back. */
public final class DuplicateTaskException extends Exception {
    private static final long serialVersionUID = 1;
    private final UUID task;
    private final boolean sameBody;

    DuplicateTaskException(UUID task, boolean sameBody) {
        super("the idempotency key stands for task " + task, null, false, false);
        this.task = task;
        this.sameBody = sameBody;
    }

    /** The task that it stands for. */
    public UUID task() {
        return task;
    }

    /** Whether it was used with the same body. */
    public boolean sameBody() {
        return sameBody;
    }
}
