package dev.sluice.gateway.config;

import java.util.List;

/** What came of reading a configuration file. */
public sealed interface Verdict {

    /** The file has no fault. */
    record Loaded(Configuration configuration) implements Verdict {}

    /** The file is not used.
     *
     * @param faults at least one, sorted by line */
    record Faulty(List<FileFault> faults) implements Verdict {
        public Faulty {
            faults = List.copyOf(faults);
            if (faults.isEmpty()) {
                throw new IllegalArgumentException("a faulty file has at least one fault");
            }
        }
    }
}
