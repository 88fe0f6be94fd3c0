package dev.sluice.admission;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/**
 * The one interface over both engines. All methods are safe for use by many threads, none blocks: stages complete on a
 * thread of the engine or on the caller's.
 *
 * <p>A task never holds one thing while it waits for another: it is admitted under all its scopes and onto a provider
 * in one decision, or it waits and holds nothing.
 */
public interface Admission extends AutoCloseable {
    /**
     * Asks for a task. Asked again it is idempotent: an admitted task answers {@link Admitted} with {@code newly}
     * false to the waiter that holds it; a waiting synchronous task is taken over by another waiter id and the old
     * claim ends {@link Eviction#SUPERSEDED}; a waiting task with another binding is rebound, an admitted one failed
     * over.
     */
    Turn submit(Ask ask);

    /** Makes a provisional grant firm; false if it lapsed or belongs to another epoch. Idempotent. */
    CompletionStage<Boolean> confirm(UUID task, long epoch);

    /**
     * Frees everything the task holds and promotes those who wait for it, in one step. False, and nothing changes, if
     * the epoch is not the current one: late, doubled and foreign releases are harmless.
     */
    CompletionStage<Boolean> release(UUID task, long epoch);

    /** Extends all leases of the task by their TTL; false if they are no longer held under this epoch. */
    CompletionStage<Boolean> renew(UUID task, long epoch);

    /**
     * How much longer the leases of the task are held for certain, as this process knows without asking anybody: zero
     * if they are not held under this epoch. Whoever was paused asks before starting what the leases are for.
     */
    Duration leaseLeft(UUID task, long epoch);

    /** Renews many at once; the answer lists those that are no longer held. */
    CompletionStage<List<Held>> renew(Collection<Held> held);

    /** Extends one waiter's lease; false if the task does not wait under this waiter. */
    CompletionStage<Boolean> renewWaiter(UUID task, String waiter);

    /** The heartbeat of a process: extends the waiter leases of all its waiters. Always true. */
    CompletionStage<Boolean> renewHolder(String holder);

    /** The connection left; its place is kept, skipped, for a waiter lease so that another connection can take over. */
    CompletionStage<Boolean> detach(UUID task, String waiter);

    /**
     * Moves a waiting task to another binding; it keeps its place, its priority and the earlier deadline, and its own
     * usage does not count against it. A refusal leaves it where it was. A task that does not wait is returned as it
     * is; empty if there is no such task.
     */
    CompletionStage<Optional<Decision>> rebind(Ask ask);

    /**
     * Moves an admitted task to another binding: the target is tested first and a refusal leaves its leases untouched;
     * else they are released and it is admitted or queued again at its old age.
     */
    Turn failOver(Ask ask, long epoch);

    /**
     * Removes a waiting task (its claim ends with {@code reason}) or releases an admitted one; false if there is no
     * such task. Touches no other task.
     */
    CompletionStage<Boolean> cancel(UUID task, Eviction reason);

    /** Removes a waiting task; false, and nothing changes, if it does not wait. */
    CompletionStage<Boolean> evict(UUID task, Eviction reason);

    /**
     * The executor of an admitted asynchronous task gives it up unharmed: it goes back to its old place with a new time
     * to wait. False, and nothing changes, for a synchronous task or another epoch.
     */
    CompletionStage<Boolean> handBack(UUID task, long epoch);

    /** Moves a waiting task to its place under another priority; false if it does not wait. */
    CompletionStage<Boolean> changePriority(UUID task, int priority);

    /** Replaces all policies in one step; queued tasks keep their place, their deadlines are re-armed. Always true. */
    CompletionStage<Boolean> configure(Policies policies);

    /** Says whether a provider can be reached. A provider that goes down keeps the slots of what runs on it. True. */
    CompletionStage<Boolean> providerUp(String provider, boolean up);

    /** An operator's decision about a provider. Always true. */
    CompletionStage<Boolean> operate(String provider, ProviderState state);

    /** Counts of every scope and provider at one instant. */
    Snapshot snapshot();

    /** Why a task waits and how long it still may, or what it holds; empty if the ledger does not know it. */
    Optional<Explanation> explain(UUID task);

    /** Where a task stands, at a fraction of the price of {@link #explain}; empty if the ledger does not know it. */
    Optional<Place> place(UUID task);

    /** Tasks in the order of the ledger. */
    List<TaskView> list(TaskFilter filter);

    /** Totals since start. */
    Totals totals();

    /** Ends every claim with {@link Eviction#SHUTTING_DOWN}; later submits are refused so. */
    @Override
    void close();
}
