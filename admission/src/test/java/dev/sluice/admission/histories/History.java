package dev.sluice.admission.histories;

import dev.sluice.admission.Policies;
import java.util.List;

/** A starting point and what happens then. */
record History(long seed, Policies start, List<Operation> operations) {
    History with(List<Operation> fewer) {
        return new History(seed, start, List.copyOf(fewer));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("seed " + seed + ", start with " + Words.of(start));
        for (int i = 0; i < operations.size(); i++) {
            text.append("\n  ").append(i + 1).append(". ").append(operations.get(i));
        }
        return text.toString();
    }
}
