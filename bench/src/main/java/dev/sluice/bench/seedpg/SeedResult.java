package dev.sluice.bench.seedpg;

import java.util.List;

/** TaskAdmissionResult, lines 83-88; a lease is its id. */
public record SeedResult(SeedAdmission admission, boolean admitted, boolean newlyAdmitted, List<String> leases) {
    static SeedResult waiting(SeedAdmission admission) {
        return new SeedResult(admission, false, false, List.of());
    }
}
