package dev.sluice.gateway.tasks;

/** Where an execution may be cut by a crash: tests do so. */
public enum Step {
    /** Its leases are renewed, nothing was sent. */
    TAKEN,
    /** The upstream works. */
    SENT,
    /** The answer is here and nowhere else. */
    ANSWERED,
    /** What became of the task is committed. */
    STORED
}
