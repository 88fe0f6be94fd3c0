package dev.sluice.bench.seed;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The seed's modelQueueManager: one lock, a queue per group, and a pump that looks at every waiting item of every
 * group whenever something changes. Line numbers are those of the seed's file.
 */
public final class SeedQueue {
    private final ReentrantLock mu = new ReentrantLock();
    private final Map<String, SeedGroup> groups = new HashMap<>();
    private final SeedProviders providers = new SeedProviders();
    private final LongSupplier nanoClock;
    private GroupPolicy providerPoolPolicy;
    private long enqueueSeq;

    public SeedQueue(GroupPolicy providerPoolPolicy, LongSupplier nanoClock) {
        this.providerPoolPolicy = providerPoolPolicy;
        this.nanoClock = nanoClock;
    }

    /**
     * One request to admit, the parameters of admit at line 408.
     *
     * @param resolveCandidates rebuilds the candidates at each look of the pump; null = the given ones stay
     * @param providerPool counts against the pool's queue limit instead of the group's
     */
    public record Request(
            String groupKey,
            List<Candidate> candidates,
            GroupPolicy policy,
            @Nullable Supplier<List<Candidate>> resolveCandidates,
            boolean isLong,
            boolean providerPool) {}

    /** What the locked part of admitWithReason leaves: a candidate, or an item to wait for. */
    public sealed interface Offered {
        record Dispatched(Candidate candidate) implements Offered {}

        record Queued(QueueItem item) implements Offered {}
    }

    /** admit, lines 408-411: blocks until dispatched, refused, timed out or interrupted (the seed's ctx.Done). */
    public Candidate admit(Request request) throws SeedRefusal {
        return switch (offer(request)) {
            case Offered.Dispatched(Candidate candidate) -> candidate;
            case Offered.Queued(QueueItem item) -> waitForAdmission(item);
        };
    }

    /** admitWithReason, lines 414-522: all of it but the wait, so that a benchmark needs no thread per waiter. */
    public Offered offer(Request request) throws SeedRefusal {
        mu.lock();
        try {
            SeedGroup group = getOrCreateGroup(request.groupKey, request.policy);
            group.policy = group.policy.updatedBy(request.policy);

            Candidate candidate = providers.findAvailableNode(group, request.candidates, request.isLong);
            if (candidate != null) {
                long leaseId = providers.reserveCandidate(group, candidate, request.isLong);
                if (leaseId == 0) {
                    throw new SeedRefusal(SeedRefusal.Kind.INELIGIBLE, "candidate ineligible");
                }
                candidate.leaseId = leaseId;
                group.lastSelectedSlot = candidate.slotKey;
                return new Offered.Dispatched(candidate);
            }

            if (request.providerPool) {
                if (pendingProviderPoolCount()
                        >= providerPoolPolicy.normalized().maxQueue()) {
                    throw new SeedRefusal(SeedRefusal.Kind.QUEUE_FULL, "provider pool: queue full");
                }
            } else if (group.queue.size() >= group.policy.maxQueue()) {
                throw new SeedRefusal(SeedRefusal.Kind.QUEUE_FULL, "model group " + group.key + ": queue full");
            }

            String reason = request.isLong && longBlocked(group, request.candidates)
                    ? "long_context_capacity_full"
                    : "capacity_full";
            long now = nanoClock.getAsLong();
            long timeout = request.providerPool && providerPoolPolicy.queueTimeoutSet()
                    ? providerPoolPolicy.queueTimeoutNanos()
                    : group.policy.queueTimeoutNanos();
            QueueItem item = new QueueItem(
                    group,
                    request.candidates,
                    request.resolveCandidates,
                    request.isLong,
                    request.providerPool,
                    reason,
                    now,
                    deadlineFrom(now, timeout));
            enqueueItem(group, item);
            return new Offered.Queued(item);
        } finally {
            mu.unlock();
        }
    }

    /** Lines 463-493: normal room but no long slot on some candidate. */
    private boolean longBlocked(SeedGroup group, List<Candidate> candidates) {
        for (Candidate c : candidates) {
            if (c.capacity <= 0) {
                continue;
            }
            boolean blocked;
            if (c.hasProviderId()) {
                ProviderResource res = providers.resourceFor(c);
                blocked = res != null
                        && res.inFlight < res.capacity
                        && res.longCapacity > 0
                        && res.longInFlight >= res.longCapacity;
            } else {
                blocked = group.inflight(c) < c.capacity
                        && c.longContextCapacity > 0
                        && group.longInflight(c) >= c.longContextCapacity;
            }
            if (blocked) {
                return true;
            }
        }
        return false;
    }

    /** getOrCreateGroupLocked, lines 34-47. */
    private SeedGroup getOrCreateGroup(String key, GroupPolicy policy) {
        SeedGroup group = groups.get(key);
        if (group == null) {
            group = new SeedGroup(key, policy.normalized());
            groups.put(key, group);
        }
        return group;
    }

    /** enqueueItemLocked, lines 245-250. */
    private void enqueueItem(SeedGroup group, QueueItem item) {
        item.enqueueSeq = ++enqueueSeq;
        group.queue.add(item);
    }

    /** pendingItemsLocked, lines 266-289; an item knows its group, so the list holds no pairs. */
    private List<QueueItem> pendingItems() {
        List<String> groupKeys = new ArrayList<>(groups.size());
        groups.forEach((key, group) -> {
            if (!group.queue.isEmpty()) {
                groupKeys.add(key);
            }
        });
        if (groupKeys.isEmpty()) {
            return List.of();
        }
        groupKeys.sort(Comparator.naturalOrder());
        List<QueueItem> pending = new ArrayList<>(groupKeys.size());
        for (String key : groupKeys) {
            pending.addAll(Objects.requireNonNull(groups.get(key)).queue);
        }
        pending.sort(Comparator.comparingLong(item -> item.enqueueSeq));
        return pending;
    }

    /** pumpAllLocked, lines 300-303. */
    private void pumpAll() {
        while (pumpOnce()) {
            // One change per look: it may alter what the remaining items may do.
        }
    }

    /** resolveQueuedCandidatesLocked, lines 315-341; null when nothing can be resolved. */
    private @Nullable List<Candidate> resolveQueuedCandidates(QueueItem item) {
        if (item.resolveCandidates == null) {
            return item.candidates;
        }
        List<Candidate> candidates = item.resolveCandidates.get();
        if (candidates.isEmpty()) {
            return null;
        }
        List<Candidate> filtered = new ArrayList<>(candidates.size());
        for (Candidate c : candidates) {
            if (!providers.isOrphan(c)) {
                filtered.add(c);
            }
        }
        return filtered;
    }

    /** pumpOnceLocked, lines 350-396. */
    private boolean pumpOnce() {
        List<QueueItem> pending = pendingItems();
        long now = nanoClock.getAsLong();
        for (QueueItem item : pending) {
            if (item.deadline == QueueItem.NO_DEADLINE || now - item.deadline <= 0) {
                continue;
            }
            item.group.queue.remove(item);
            item.offer(new AdmitResult.Failed(timedOut(item)));
            return true;
        }
        for (QueueItem item : pending) {
            List<Candidate> candidates = resolveQueuedCandidates(item);
            if (candidates == null) {
                continue;
            }
            Candidate candidate = providers.findAvailableNode(item.group, candidates, item.isLong);
            if (candidate == null) {
                continue;
            }
            long leaseId = providers.reserveCandidate(item.group, candidate, item.isLong);
            if (leaseId == 0) {
                continue;
            }
            candidate.leaseId = leaseId;
            item.group.queue.remove(item);
            if (item.offer(new AdmitResult.Dispatched(candidate))) {
                item.group.lastSelectedSlot = candidate.slotKey;
            } else {
                providers.releaseLease(leaseId);
            }
            return true;
        }
        return false;
    }

    /** waitForAdmission, lines 533-619: Go's select over four channels as a parked thread that looks at each. */
    private Candidate waitForAdmission(QueueItem item) throws SeedRefusal {
        item.waitBy(Thread.currentThread());
        long deadline = underLock(() -> item.deadline);
        while (true) {
            AdmitResult result = item.poll();
            if (result != null) {
                return switch (result) {
                    case AdmitResult.Dispatched(Candidate candidate) -> candidate;
                    case AdmitResult.Failed(SeedRefusal refusal) -> throw refusal;
                };
            }
            if (Thread.interrupted()) {
                underLock(() -> item.group.queue.remove(item));
                abandon(item);
                throw new SeedRefusal(SeedRefusal.Kind.CANCELLED, "cancelled while waiting");
            }
            if (deadline != QueueItem.NO_DEADLINE && nanoClock.getAsLong() - deadline >= 0) {
                boolean queued;
                boolean expired;
                mu.lock();
                try {
                    deadline = item.deadline;
                    queued = item.group.queue.contains(item);
                    expired = queued && deadline != QueueItem.NO_DEADLINE && nanoClock.getAsLong() - deadline >= 0;
                    if (expired) {
                        item.group.queue.remove(item);
                    }
                } finally {
                    mu.unlock();
                }
                if (expired) {
                    abandon(item);
                    throw timedOut(item);
                }
                if (!queued) {
                    deadline = QueueItem.NO_DEADLINE;
                }
                continue;
            }
            if (item.pollPolicyChange()) {
                deadline = underLock(() -> item.deadline);
                continue;
            }
            if (deadline == QueueItem.NO_DEADLINE) {
                LockSupport.park(item);
            } else {
                LockSupport.parkNanos(item, deadline - nanoClock.getAsLong());
            }
        }
    }

    /** Lines 579-585 and 594-600: a grant that lost the race is given back. */
    private void abandon(QueueItem item) {
        if (item.poll() instanceof AdmitResult.Dispatched(Candidate candidate)) {
            release(candidate.leaseId);
        }
    }

    /** deadlineFrom, lines 624-629. */
    private static long deadlineFrom(long now, long timeout) {
        return timeout <= 0 ? QueueItem.NO_DEADLINE : now + timeout;
    }

    /** releaseLease: named at line 582, not in the file. Frees the slot and lets the pump look at everything. */
    public void release(long leaseId) {
        mu.lock();
        try {
            if (providers.releaseLease(leaseId)) {
                pumpAll();
            }
        } finally {
            mu.unlock();
        }
    }

    /** trackLease, lines 654-667. */
    public void track(long leaseId, String runId) {
        mu.lock();
        try {
            providers.trackLease(leaseId, runId);
        } finally {
            mu.unlock();
        }
    }

    /** A config refresh: not in the file. */
    public void configure(String nodeId, List<SeedProvider> configured) {
        mu.lock();
        try {
            providers.configure(nodeId, configured);
            pumpAll();
        } finally {
            mu.unlock();
        }
    }

    /** A node that left, as far as lines 310-312 tell. */
    public void disconnect(String nodeId) {
        mu.lock();
        try {
            providers.orphan(nodeId);
            pumpAll();
        } finally {
            mu.unlock();
        }
    }

    /** A new pool policy re-arms the deadlines of what waits: not in the file, from lines 527-530. */
    public void configurePool(GroupPolicy policy) {
        mu.lock();
        try {
            providerPoolPolicy = policy;
            for (QueueItem item : pendingItems()) {
                if (item.providerPool) {
                    item.deadline = deadlineFrom(item.enqueuedAt, policy.queueTimeoutNanos());
                    item.policyChanged();
                }
            }
            pumpAll();
        } finally {
            mu.unlock();
        }
    }

    /** pendingProviderPoolCountLocked: named at line 452, not in the file. */
    private int pendingProviderPoolCount() {
        int count = 0;
        for (SeedGroup group : groups.values()) {
            for (QueueItem item : group.queue) {
                if (item.providerPool) {
                    count++;
                }
            }
        }
        return count;
    }

    public int waiting(String groupKey) {
        return underLock(() -> {
            SeedGroup group = groups.get(groupKey);
            return group == null ? 0 : group.queue.size();
        });
    }

    private <T> T underLock(Supplier<T> body) {
        mu.lock();
        try {
            return body.get();
        } finally {
            mu.unlock();
        }
    }

    private static SeedRefusal timedOut(QueueItem item) {
        long seconds = NANOSECONDS.toSeconds(item.deadline - item.enqueuedAt);
        return new SeedRefusal(
                SeedRefusal.Kind.QUEUE_TIMEOUT, item.group.key + ": queue timeout after " + seconds + "s");
    }
}
