package dev.sluice.admission;

/** The last answer to {@link Admission#submit}: how the task's wait ended. */
public sealed interface Outcome permits Admitted, Rejected, Evicted {}
