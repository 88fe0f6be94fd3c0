package dev.sluice.bench.seedpg;

import java.util.List;

/** TaskAdmissionInput, lines 55-65; validated as by validateTaskAdmissionInput, lines 908-919. */
public record SeedInput(
        String taskId,
        String platformId,
        String platformModelId,
        String userGroupId,
        String queueKey,
        String mode,
        int priority,
        String waiterId,
        List<SeedScope> scopes) {
    static final String SYNC = "sync";
    static final String ASYNC = "async";

    public SeedInput {
        if (taskId.isBlank() || platformId.isBlank() || platformModelId.isBlank()) {
            throw new IllegalArgumentException("task admission requires task, platform, and platform model");
        }
        if (!mode.equals(SYNC) && !mode.equals(ASYNC)) {
            throw new IllegalArgumentException("task admission mode must be sync or async");
        }
        if (mode.equals(SYNC) && waiterId.isBlank()) {
            throw new IllegalArgumentException("synchronous task admission requires a waiter id");
        }
        scopes = List.copyOf(scopes);
    }

    boolean sync() {
        return mode.equals(SYNC);
    }
}
