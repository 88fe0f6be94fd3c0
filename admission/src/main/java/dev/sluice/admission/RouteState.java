package dev.sluice.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

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

        boolean isPossible(Set<String> avoided) {
            for (ProviderSlots candidate : candidates) {
                if (candidate.isEnabled() && !avoided.contains(candidate.id)) {
                    return true;
                }
            }
            return false;
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

    /** The platform model that a task may count in: the one it is bound to, unless the route has left that. */
    Scope boundOf(@Nullable Scope bound) {
        for (Entry entry : entries) {
            if (entry.platformModel().scope.equals(bound)) {
                return entry.platformModel().scope;
            }
        }
        return entries.getFirst().platformModel().scope;
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
        for (Entry entry : entries) {
            if (entry.isPossible(avoided)) {
                return true;
            }
        }
        return false;
    }

    List<Entry> entries(Set<String> avoided) {
        return avoided.isEmpty()
                ? entries
                : entries.stream().map(entry -> entry.without(avoided)).toList();
    }

    /**
     * Those of {@code all} that are open to a task of this stage, in order of preference. One without a live candidate
     * is skipped, and then no longer delays the entries behind it.
     */
    List<Entry> open(List<Entry> all, int stage) {
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
}
