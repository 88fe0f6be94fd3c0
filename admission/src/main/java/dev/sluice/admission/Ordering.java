package dev.sluice.admission;

/** Who may run while an earlier task is blocked. */
public enum Ordering {
    /** A blocked task blocks only the scopes that lack room; overtaking is bounded. */
    WORK_CONSERVING,
    /** A task runs only as head of its platform-model queue and of its group queue: the first seed's exact rule. */
    STRICT
}
