package dev.sluice.bench.ledger;

/** One engine set up with providers and a backlog, so that both engines are driven by the same benchmark. */
interface Rig extends AutoCloseable {
    /** With free slots: asks for one task, which is admitted at once, and releases it. Returns something to consume. */
    Object submitAndRelease();

    /** With all slots taken: releases the task that runs longest, which starts the first waiter, and queues a new task. */
    Object releaseAndSubmit();

    @Override
    default void close() {}
}
