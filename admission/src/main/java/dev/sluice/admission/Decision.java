package dev.sluice.admission;

/** The first answer to {@link Admission#submit}. */
public sealed interface Decision permits Admitted, Waiting, Rejected {}
