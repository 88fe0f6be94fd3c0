package dev.sluice.gateway.config;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the reading of one file carries along: faults, environment, ids, and the keys it knows. */
final class Reading {
    // Aliases of aliases multiply; a million items is far above any real file and read in a second.
    static final int ITEMS_MAX = 1_000_000;

    private final Faults faults;
    private final Environment environment;
    private final Set<Pending> pending;
    private final References references;
    private final SortedMap<String, String> defaults = new TreeMap<>();
    private int items;

    Reading(Faults faults, Environment environment, Set<Pending> pending) {
        this.faults = faults;
        this.environment = environment;
        this.pending = Set.copyOf(pending);
        this.references = new References(faults);
    }

    void fault(int line, String message) {
        faults.add(line, message);
    }

    References references() {
        return references;
    }

    Parsed<String> substitute(String text) {
        return Substitution.replace(text, environment);
    }

    boolean isPending(Pending feature) {
        return pending.contains(feature);
    }

    /** Refuses what this version does not do yet. */
    void needs(Pending feature, int line) {
        if (isPending(feature)) {
            faults.add(line, feature.message());
        }
    }

    /** Whether one more item of a list may be read; the first beyond the bound is a fault. */
    boolean mayRead(int line) {
        if (items == ITEMS_MAX) {
            faults.add(line, "more than " + ITEMS_MAX + " list items, aliases counted each time");
        }
        return items++ < ITEMS_MAX;
    }

    /** Notes that a key was looked for, with the text of its default. */
    void know(String path, String defaultText) {
        defaults.put(path, defaultText);
    }

    /** Every key looked for so far, as {@code platforms[].providers[].capacity}, with its default. */
    Map<String, String> known() {
        return defaults;
    }
}
