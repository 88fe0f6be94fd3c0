package dev.sluice.admission;

import org.jspecify.annotations.Nullable;

/** Sees every change that a ledger decides, in order, as soon as the indexes show it. It must not call the ledger. */
interface Witness {
    /**
     * @param node of the task, which has left the ledger if {@code after} is null
     * @see Change
     */
    void saw(Node node, @Nullable Row before, @Nullable Row after, Change.Cause cause, @Nullable Evicted evicted);
}
