package dev.sluice.bench.seed;

/** Live configuration of one provider on a node; not in the seed's file (config.Provider). */
public record SeedProvider(
        String id,
        boolean enabled,
        int capacity,
        int longContextCapacity,
        int priority,
        String adapter,
        String type,
        String executionPath) {
    public static SeedProvider of(String id, int capacity) {
        return new SeedProvider(id, true, capacity, 0, 0, "openai", "openai", "direct");
    }
}
