package dev.sluice.bench.seed;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** queueItem: one waiting request (lines 510-520). */
public final class QueueItem {
    /** The zero time.Time: no deadline. */
    static final long NO_DEADLINE = Long.MAX_VALUE;

    final SeedGroup group;
    final List<Candidate> candidates;
    final @Nullable Supplier<List<Candidate>> resolveCandidates;
    final boolean isLong;
    final boolean providerPool;
    final String reason;
    final long enqueuedAt;
    long deadline;
    long enqueueSeq;

    /** A channel of capacity 1; a send that finds it full is dropped. */
    private final AtomicReference<@Nullable AdmitResult> waitCh = new AtomicReference<>();

    private final AtomicBoolean policyChange = new AtomicBoolean();
    private volatile @Nullable Thread waiter;

    QueueItem(
            SeedGroup group,
            List<Candidate> candidates,
            @Nullable Supplier<List<Candidate>> resolveCandidates,
            boolean isLong,
            boolean providerPool,
            String reason,
            long enqueuedAt,
            long deadline) {
        this.group = group;
        this.candidates = candidates;
        this.resolveCandidates = resolveCandidates;
        this.isLong = isLong;
        this.providerPool = providerPool;
        this.reason = reason;
        this.enqueuedAt = enqueuedAt;
        this.deadline = deadline;
    }

    void waitBy(Thread thread) {
        waiter = thread;
    }

    boolean offer(AdmitResult result) {
        boolean sent = waitCh.compareAndSet(null, result);
        LockSupport.unpark(waiter);
        return sent;
    }

    /** The admitted candidate or the refusal, once; null while the item waits. */
    public @Nullable AdmitResult poll() {
        return waitCh.getAndSet(null);
    }

    void policyChanged() {
        policyChange.set(true);
        LockSupport.unpark(waiter);
    }

    boolean pollPolicyChange() {
        return policyChange.getAndSet(false);
    }
}
