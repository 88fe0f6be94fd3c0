package dev.sluice.bench.seed;

/** admitResult, lines 360 and 385: what the pump sends to a waiter. */
public sealed interface AdmitResult {
    record Dispatched(Candidate candidate) implements AdmitResult {}

    record Failed(SeedRefusal refusal) implements AdmitResult {}
}
