package dev.sluice.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

/** One route resolved against the live providers, and where its rotation stands. */
final class RouteState {
    final String id;

    /** The provider chosen last; empty before the first choice. */
    String lastChosen = "";

    /** Synchronous tasks of this route that wait for a provider only. */
    int dispatchWaiting;

    RoutePolicy policy;
    List<Entry> entries = List.of();

    /** The distinct spill-after values in nanoseconds, ascending, always beginning with 0. */
    long[] spills = {0};

    RouteState(String id, RoutePolicy policy) {
        this.id = id;
        this.policy = policy;
    }

    /**
     * @param candidates sorted by provider id, for the rotation
     */
    record Entry(ScopeState platformModel, List<ProviderSlots> candidates, long spillNanos) {
        boolean isLive() {
            for (ProviderSlots candidate : candidates) {
                if (candidate.isLive()) {
                    return true;
                }
            }
            return false;
        }

        boolean isPossible() {
            return candidates.stream().anyMatch(ProviderSlots::isEnabled);
        }

        Entry without(Set<String> avoided) {
            return new Entry(
                    platformModel,
                    candidates.stream()
                            .filter(candidate -> !avoided.contains(candidate.id))
                            .toList(),
                    spillNanos);
        }
    }

    void resolve(RoutePolicy changed, List<Entry> resolved) {
        policy = changed;
        entries = List.copyOf(resolved);
        spills = LongStream.concat(LongStream.of(0), resolved.stream().mapToLong(Entry::spillNanos))
                .distinct()
                .sorted()
                .toArray();
    }

    /** How many spill steps a task that waited so long has behind it. */
    int stage(long waitedNanos) {
        int stage = 0;
        while (stage + 1 < spills.length && spills[stage + 1] <= waitedNanos) {
            stage++;
        }
        return stage;
    }

    /** Could any entry serve if its providers were up? */
    boolean isPossible(Set<String> avoided) {
        return entries(avoided).stream().anyMatch(Entry::isPossible);
    }

    List<Entry> entries(Set<String> avoided) {
        return avoided.isEmpty()
                ? entries
                : entries.stream().map(entry -> entry.without(avoided)).toList();
    }

    /**
     * The entries open to a task of this stage, in order of preference. One without a live candidate is skipped, and
     * then no longer delays the entries behind it.
     */
    List<Entry> open(int stage, Set<String> avoided) {
        List<Entry> all = entries(avoided);
        if (all.size() == 1) {
            return all;
        }
        List<Entry> open = new ArrayList<>(all.size());
        boolean earlierLive = false;
        for (Entry entry : all) {
            if (!earlierLive || entry.spillNanos() <= spills[Math.min(stage, spills.length - 1)]) {
                open.add(entry);
            }
            earlierLive |= entry.isLive();
        }
        return open;
    }

    void addFronted(List<ScopeState> all, int stage, Set<String> avoided) {
        for (Entry entry : open(stage, avoided)) {
            all.add(entry.platformModel());
            for (ProviderSlots candidate : entry.candidates()) {
                if (!all.contains(candidate.slots)) {
                    all.add(candidate.slots);
                }
            }
        }
    }
}
