package dev.sluice.admission;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How much of one scope a task needs while it runs.
 *
 * @param amount thousandths, at least 1; 0 means the default of one whole unit
 */
public record Demand(Scope scope, long amount) {
    public Demand {
        if (amount < 0 || amount > Amount.MAX) {
            throw new IllegalArgumentException("amount of " + scope + " must be 0 to " + Amount.MAX + " thousandths");
        }
        if (amount == 0) {
            amount = Amount.ONE;
        }
    }

    /** One whole unit of {@code scope}. */
    public static Demand one(Scope scope) {
        return new Demand(scope, Amount.ONE);
    }

    /** Sorted by scope, later duplicates of a scope dropped: one canonical form, so that equal needs share a queue. */
    static List<Demand> normalised(List<Demand> demands) {
        if (isNormal(demands)) {
            return List.copyOf(demands);
        }
        Set<Scope> seen = new HashSet<>();
        List<Demand> kept = new ArrayList<>(demands.size());
        for (Demand demand : demands) {
            if (seen.add(demand.scope())) {
                kept.add(demand);
            }
        }
        kept.sort(Comparator.comparing(Demand::scope));
        return List.copyOf(kept);
    }

    private static boolean isNormal(List<Demand> demands) {
        for (int i = 1; i < demands.size(); i++) {
            if (demands.get(i - 1).scope().compareTo(demands.get(i).scope()) >= 0) {
                return false;
            }
        }
        return true;
    }
}
