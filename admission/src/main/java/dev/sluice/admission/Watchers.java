package dev.sluice.admission;

import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The queues that watch one scope, grouped by the amount their tasks need of it. A release looks at the earliest queue
 * of each amount that fits, so many large tasks that still do not fit cost nothing.
 */
final class Watchers {
    private final TreeMap<Long, TreeSet<Binding>> byAmount = new TreeMap<>();

    void add(Binding binding, long amount) {
        byAmount.computeIfAbsent(amount, any -> new TreeSet<>(Binding.BY_HEAD)).add(binding);
    }

    void remove(Binding binding, long amount) {
        TreeSet<Binding> same = byAmount.get(amount);
        if (same != null && same.remove(binding) && same.isEmpty()) {
            byAmount.remove(amount);
        }
    }

    boolean isEmpty() {
        return byAmount.isEmpty();
    }

    /** The earliest queue for whose head {@code scope} has room. */
    @Nullable
    Binding first(ScopeState scope) {
        Binding earliest = null;
        for (var entry : byAmount.entrySet()) {
            long amount = entry.getKey();
            if (!scope.fits(amount)) {
                break;
            }
            // If the first of an amount must leave room for a starved task, so must all behind it.
            Binding first = entry.getValue().first();
            Node head = first.head();
            if (head != null
                    && scope.hasRoom(amount, head)
                    && (earliest == null || Binding.BY_HEAD.compare(first, earliest) < 0)) {
                earliest = first;
            }
        }
        return earliest;
    }
}
