package dev.sluice.admission;

/**
 * A hold of {@code amount} thousandths in one scope. It belongs to the epoch of its {@link Admitted} and expires with
 * it; it is never shared between tasks.
 */
public record Lease(Scope scope, long amount) {}
