package dev.sluice.bench.seed;

/**
 * candidateNode: one provider on one node that may serve a request. Mutable, as in the seed, because a reservation
 * writes the live fields and the lease into the copy that it returns.
 */
public final class Candidate {
    final String nodeId;
    final String providerId;
    /** slotKey(): the seed builds it at each call; the identity never changes, so it is built once here. */
    final String slotKey;

    final ResourceKey resourceKey;
    int capacity;
    int longContextCapacity;
    int priority;
    String adapter;
    String providerType;
    String executionPath;
    long leaseId;

    /** providerResourceKey, line 334. */
    record ResourceKey(String nodeId, String providerId) {}

    /** A candidate whose provider has an empty id is what the seed calls a legacy candidate. */
    public Candidate(String nodeId, SeedProvider provider) {
        this.nodeId = nodeId;
        this.providerId = provider.id();
        this.slotKey = nodeId + "/" + providerId;
        this.resourceKey = new ResourceKey(nodeId, providerId);
        this.adapter = "";
        this.providerType = "";
        this.executionPath = "";
        apply(provider);
    }

    private Candidate(Candidate other) {
        nodeId = other.nodeId;
        providerId = other.providerId;
        slotKey = other.slotKey;
        resourceKey = other.resourceKey;
        capacity = other.capacity;
        longContextCapacity = other.longContextCapacity;
        priority = other.priority;
        adapter = other.adapter;
        providerType = other.providerType;
        executionPath = other.executionPath;
        leaseId = other.leaseId;
    }

    /** applyProviderDispatchFields, named at line 184. */
    void apply(SeedProvider live) {
        capacity = live.capacity();
        longContextCapacity = live.longContextCapacity();
        priority = live.priority();
        adapter = live.adapter();
        providerType = live.type();
        executionPath = live.executionPath();
    }

    boolean hasProviderId() {
        return !providerId.isEmpty();
    }

    Candidate copy() {
        return new Candidate(this);
    }

    public String nodeId() {
        return nodeId;
    }

    public String providerId() {
        return providerId;
    }

    public long leaseId() {
        return leaseId;
    }
}
