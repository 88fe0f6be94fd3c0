package dev.sluice.bench.seed;

/** providerLease, as minted at lines 639-646. */
final class ProviderLease {
    final long id;
    final SeedGroup group;
    final Candidate candidate;
    final boolean isLong;
    String runId = "";

    ProviderLease(long id, SeedGroup group, Candidate candidate, boolean isLong) {
        this.id = id;
        this.group = group;
        this.candidate = candidate;
        this.isLong = isLong;
    }
}
