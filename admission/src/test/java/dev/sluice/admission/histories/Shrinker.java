package dev.sluice.admission.histories;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Delta debugging: leaves out parts of a failing history, ever smaller ones, as long as the rest still fails. */
final class Shrinker {
    private Shrinker() {}

    static History shrink(History history, Predicate<History> fails) {
        List<Operation> left = new ArrayList<>(history.operations());
        for (int part = Math.max(1, left.size() / 2); part >= 1; part = part / 2) {
            boolean shorter = true;
            while (shorter) {
                shorter = false;
                for (int from = left.size() - part; from >= 0; from -= part) {
                    List<Operation> fewer = new ArrayList<>(left.subList(0, from));
                    fewer.addAll(left.subList(from + part, left.size()));
                    if (fails.test(history.with(fewer))) {
                        left = fewer;
                        shorter = true;
                        from = Math.min(from, left.size());
                    }
                }
            }
        }
        return history.with(left);
    }
}
