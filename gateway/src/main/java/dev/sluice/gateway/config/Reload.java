package dev.sluice.gateway.config;

import java.util.List;

/** What came of reading the configuration again. */
public sealed interface Reload {

    /**
     * The file has no fault.
     *
     * @param configuration the one in force now
     * @param changed whether it differs from the one before
     * @param needRestart keys whose change waits for the next start; until then their old values are in force
     */
    record Accepted(Configuration configuration, boolean changed, List<String> needRestart) implements Reload {
        public Accepted {
            needRestart = List.copyOf(needRestart);
        }
    }

    /** Nothing changed.
     *
     * @param faults at least one, sorted by line */
    record Refused(List<FileFault> faults) implements Reload {
        public Refused {
            faults = List.copyOf(faults);
        }
    }
}
