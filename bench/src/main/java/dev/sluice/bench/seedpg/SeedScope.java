package dev.sluice.bench.seedpg;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** AdmissionScope, lines 42-53, without name, metadata and policy, which only travel through. */
public record SeedScope(
        String type,
        String key,
        double concurrentLimit,
        double amount,
        int leaseTtlSeconds,
        int queueLimit,
        int maxWaitSeconds) {
    static final String PLATFORM_MODEL = "platform_model";
    static final String USER_GROUP = "user_group";
    static final String WORKER_CAPACITY = "worker_capacity";

    public static SeedScope platformModel(String id, double limit, int queueLimit) {
        return new SeedScope(PLATFORM_MODEL, id, limit, 1, 0, queueLimit, 0);
    }

    public static SeedScope userGroup(String id, double limit, int queueLimit) {
        return new SeedScope(USER_GROUP, id, limit, 1, 0, queueLimit, 0);
    }

    /** A scope as it is only locked (lines 260-263). */
    static SeedScope toLock(String type, String key) {
        return new SeedScope(type, key, 0, 0, 0, 0, 0);
    }

    /** normalizedAdmissionScopes, lines 921-947. */
    static List<SeedScope> normalised(List<SeedScope> scopes) {
        List<SeedScope> out = new ArrayList<>(scopes.size());
        Set<String> seen = new HashSet<>();
        for (SeedScope raw : scopes) {
            SeedScope scope = new SeedScope(
                    raw.type.strip(),
                    raw.key.strip(),
                    raw.concurrentLimit,
                    raw.amount <= 0 ? 1 : raw.amount,
                    raw.leaseTtlSeconds <= 0 ? 120 : raw.leaseTtlSeconds,
                    raw.queueLimit,
                    raw.maxWaitSeconds);
            if (!scope.type.isEmpty() && !scope.key.isEmpty() && seen.add(scope.lockKey())) {
                out.add(scope);
            }
        }
        out.sort(Comparator.comparing(SeedScope::lockKey));
        return out;
    }

    /** admissionLockKey, lines 949-951. */
    String lockKey() {
        return "task-admission:" + type.length() + ":" + type + ":" + key.length() + ":" + key;
    }
}
