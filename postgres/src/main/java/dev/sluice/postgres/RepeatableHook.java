package dev.sluice.postgres;

/**
 * A hook that does nothing but SQL on its connection. So it may share a transaction with others, which is much cheaper,
 * and it is run again when that was rolled back because another one failed.
 */
@FunctionalInterface
public interface RepeatableHook extends QueuedHook {}
