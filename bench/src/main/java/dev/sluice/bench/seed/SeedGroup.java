package dev.sluice.bench.seed;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** modelQueueGroup, lines 38-43: one model's queue, and the slots of candidates that have no provider id. */
final class SeedGroup {
    final String key;
    final List<QueueItem> queue = new ArrayList<>();
    final Map<String, Integer> inflight = new HashMap<>();
    final Map<String, Integer> longInflight = new HashMap<>();
    GroupPolicy policy;
    String lastSelectedSlot = "";

    SeedGroup(String key, GroupPolicy policy) {
        this.key = key;
        this.policy = policy;
    }

    int inflight(Candidate c) {
        return inflight.getOrDefault(c.slotKey, 0);
    }

    int longInflight(Candidate c) {
        return longInflight.getOrDefault(c.slotKey, 0);
    }
}
