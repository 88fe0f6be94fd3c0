package dev.sluice.admission.mutants;

import java.util.ArrayList;
import java.util.List;

/**
 * One fault, as replacements of source text.
 *
 * @param group the nested class of the contract that should notice it
 * @param name what is wrong with the engine
 */
record Mutant(String group, String name, List<Edit> edits) {
    /**
     * @param file a source of the engine, without folder and ending
     * @param from text that occurs exactly once in it; blanks and line ends count as one blank
     */
    record Edit(String file, String from, String to) {}

    static Mutant of(String group, String name) {
        return new Mutant(group, name, List.of());
    }

    Mutant edit(String file, String from, String to) {
        List<Edit> more = new ArrayList<>(edits);
        more.add(new Edit(file, from, to));
        return new Mutant(group, name, List.copyOf(more));
    }

    @Override
    public String toString() {
        return name;
    }
}
