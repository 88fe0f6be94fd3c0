package dev.sluice.gateway.config;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The faults met so far in one file: all of them, up to a bound that no person would read past. */
final class Faults {
    static final int COUNT_MAX = 200;

    private final String file;
    // An aliased value is read once for each place that uses it; its fault is told once.
    private final Set<FileFault> found = new LinkedHashSet<>();

    Faults(String file) {
        this.file = file;
    }

    void add(int line, String message) {
        if (!full()) {
            // One fault is one line of output, whatever a name in it holds.
            found.add(new FileFault(file, line, message.replaceAll("\\p{Cntrl}", " ")));
        }
    }

    boolean full() {
        return found.size() >= COUNT_MAX;
    }

    boolean none() {
        return found.isEmpty();
    }

    List<FileFault> byLine() {
        List<FileFault> sorted = new ArrayList<>(found);
        sorted.sort(null);
        return List.copyOf(sorted);
    }
}
