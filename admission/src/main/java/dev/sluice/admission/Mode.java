package dev.sluice.admission;

/** Whether somebody holds a connection open for the task. */
public sealed interface Mode permits Mode.Sync, Mode.Async {
    /**
     * A client waits on a connection.
     *
     * @param waiter identifies this connection's claim on the task, not blank; the same task asked for under another
     *     waiter is taken over
     * @param holder the process that holds the connection, not blank; its heartbeat renews all its waiters
     */
    record Sync(String waiter, String holder) implements Mode {
        public Sync {
            if (waiter.isBlank() || holder.isBlank()) {
                throw new IllegalArgumentException("a synchronous task needs a waiter id and a holder id");
            }
        }
    }

    /** Nobody is connected: a worker executes the task after it was admitted. */
    record Async() implements Mode {}

    Async ASYNC = new Async();
}
