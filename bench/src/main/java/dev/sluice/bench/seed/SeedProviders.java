package dev.sluice.bench.seed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The half of the seed's modelQueueManager that chooses, reserves and frees provider slots. Every method runs under
 * the lock of {@link SeedQueue}; line numbers are those of the seed's file.
 */
final class SeedProviders {
    /** m.store: the providers of each node as configured now. */
    private final Map<String, List<SeedProvider>> store = new HashMap<>();

    private final Map<Candidate.ResourceKey, ProviderResource> resources = new HashMap<>();
    private final Map<Long, ProviderLease> leases = new HashMap<>();
    private final Map<String, Long> leaseByRun = new HashMap<>();
    private long leaseSeq;

    /** Not in the file: a config refresh replaces a node's providers and their known capacities. */
    void configure(String nodeId, List<SeedProvider> providers) {
        store.put(nodeId, List.copyOf(providers));
        for (SeedProvider p : providers) {
            ProviderResource known = resources.get(new Candidate.ResourceKey(nodeId, p.id()));
            if (known != null) {
                known.capacity = p.capacity();
                known.longCapacity = p.longContextCapacity();
            }
        }
    }

    /**
     * findAvailableNodeLocked, lines 76-142. The Go code copies each candidate onto the stack; here a copy is made
     * only of those that become a best one, since Java's would be garbage.
     */
    @Nullable
    Candidate findAvailableNode(SeedGroup group, List<Candidate> candidates, boolean isLong) {
        List<Candidate> best = List.of();
        int bestInflight = 0;
        int bestPriority = 0;
        for (Candidate c : candidates) {
            SeedProvider live = liveProvider(c);
            if (live == null && c.hasProviderId()) {
                continue;
            }
            int capacity = live == null ? c.capacity : live.capacity();
            int priority = live == null ? c.priority : live.priority();
            if (capacity <= 0) {
                continue;
            }
            int inflight;
            if (c.hasProviderId()) {
                ProviderResource res = resourceFor(c);
                if (res == null || !res.canReserve(isLong)) {
                    continue;
                }
                inflight = res.inFlight;
            } else {
                inflight = group.inflight(c);
                if (inflight >= capacity) {
                    continue;
                }
                if (isLong && c.longContextCapacity > 0 && group.longInflight(c) >= c.longContextCapacity) {
                    continue;
                }
            }
            if (best.isEmpty() || inflight < bestInflight) {
                best = listOf(liveCopy(c, live));
                bestInflight = inflight;
                bestPriority = priority;
            } else if (inflight == bestInflight) {
                if (priority < bestPriority) {
                    best = listOf(liveCopy(c, live));
                    bestPriority = priority;
                } else if (priority == bestPriority) {
                    best.add(liveCopy(c, live));
                }
            }
        }
        if (best.isEmpty()) {
            return null;
        }
        best.sort(SeedProviders::compare);
        int idx = 0;
        if (!group.lastSelectedSlot.isEmpty()) {
            for (int i = 0; i < best.size(); i++) {
                if (best.get(i).slotKey.equals(group.lastSelectedSlot)) {
                    idx = (i + 1) % best.size();
                    break;
                }
            }
        }
        return best.get(idx);
    }

    private static List<Candidate> listOf(Candidate first) {
        List<Candidate> list = new ArrayList<>(2);
        list.add(first);
        return list;
    }

    /** candidateLess, lines 146-154. */
    private static int compare(Candidate a, Candidate b) {
        int byProvider = a.providerId.compareTo(b.providerId);
        return byProvider != 0 ? byProvider : a.nodeId.compareTo(b.nodeId);
    }

    /** liveCandidateLocked, lines 168-188: the enabled provider behind a candidate, null if there is none. */
    private @Nullable SeedProvider liveProvider(Candidate c) {
        if (!c.hasProviderId()) {
            return null;
        }
        List<SeedProvider> providers = store.get(c.nodeId);
        if (providers == null) {
            return null;
        }
        for (int i = 0; i < providers.size(); i++) {
            SeedProvider p = providers.get(i);
            if (p.id().equals(c.providerId)) {
                return p.enabled() ? p : null;
            }
        }
        return null;
    }

    /** The second half of liveCandidateLocked, lines 184-185. */
    private static Candidate liveCopy(Candidate c, @Nullable SeedProvider live) {
        Candidate copy = c.copy();
        if (live != null) {
            copy.apply(live);
        }
        return copy;
    }

    /**
     * resourceForCandidateLocked: not in the file. One look-up; made at the first use with the candidate's live
     * capacity. The seed may well resolve the candidate again here, the port does not.
     */
    @Nullable
    ProviderResource resourceFor(Candidate c) {
        ProviderResource res = resources.get(c.resourceKey);
        if (res != null) {
            return res;
        }
        SeedProvider live = liveProvider(c);
        if (live == null) {
            return null;
        }
        res = new ProviderResource();
        res.capacity = live.capacity();
        res.longCapacity = live.longContextCapacity();
        resources.put(c.resourceKey, res);
        return res;
    }

    /** reserveCandidateLocked, lines 197-236: the lease id, or 0 when the candidate is no longer eligible. */
    long reserveCandidate(SeedGroup group, Candidate candidate, boolean isLong) {
        SeedProvider live = liveProvider(candidate);
        if (live == null && candidate.hasProviderId()) {
            return 0;
        }
        if ((live == null ? candidate.capacity : live.capacity()) <= 0) {
            return 0;
        }
        if (live != null) {
            ProviderResource res = resourceFor(candidate);
            if (res == null || !res.canReserve(isLong)) {
                return 0;
            }
            res.orphan = false;
            candidate.apply(live);
            candidate.capacity = res.capacity;
            candidate.longContextCapacity = res.longCapacity;
            res.reserve(isLong);
        } else {
            if (group.inflight(candidate) >= candidate.capacity) {
                return 0;
            }
            boolean gated = isLong && candidate.longContextCapacity > 0;
            if (gated && group.longInflight(candidate) >= candidate.longContextCapacity) {
                return 0;
            }
            group.inflight.merge(candidate.slotKey, 1, Integer::sum);
            if (gated) {
                group.longInflight.merge(candidate.slotKey, 1, Integer::sum);
            }
        }
        return newLease(group, candidate, isLong);
    }

    /** newLeaseLocked, lines 636-648. */
    private long newLease(SeedGroup group, Candidate candidate, boolean isLong) {
        long id = ++leaseSeq;
        leases.put(id, new ProviderLease(id, group, candidate, isLong && candidate.longContextCapacity > 0));
        return id;
    }

    /** trackLease, lines 654-667; a released lease is gone from the map here. */
    void trackLease(long leaseId, String runId) {
        ProviderLease lease = leases.get(leaseId);
        if (leaseId == 0 || runId.isEmpty() || lease == null) {
            return;
        }
        lease.runId = runId;
        leaseByRun.put(runId, leaseId);
    }

    /** releaseLeaseLocked: named at line 390, not in the file. Frees the slot once. */
    boolean releaseLease(long leaseId) {
        ProviderLease lease = leases.remove(leaseId);
        if (lease == null) {
            return false;
        }
        if (!lease.runId.isEmpty()) {
            leaseByRun.remove(lease.runId);
        }
        Candidate c = lease.candidate;
        if (c.hasProviderId()) {
            ProviderResource res = resources.get(c.resourceKey);
            if (res != null) {
                res.release(lease.isLong);
            }
        } else {
            lease.group.inflight.merge(c.slotKey, -1, Integer::sum);
            if (lease.isLong) {
                lease.group.longInflight.merge(c.slotKey, -1, Integer::sum);
            }
        }
        return true;
    }

    /** The part of releaseNode that the file names at lines 310-312: a node that left marks its resources. */
    void orphan(String nodeId) {
        resources.forEach((key, res) -> {
            if (key.nodeId().equals(nodeId)) {
                res.orphan = true;
            }
        });
    }

    boolean isOrphan(Candidate c) {
        ProviderResource res = resources.get(c.resourceKey);
        return res != null && res.orphan;
    }
}
