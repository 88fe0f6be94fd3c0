package dev.sluice.postgres;

import dev.sluice.admission.Change;
import dev.sluice.admission.ProviderState;
import dev.sluice.admission.Totals;
import java.util.List;
import java.util.Map;

/**
 * What a mirror has decided and nobody has committed yet.
 *
 * @param changes in the order of the decisions
 * @param ends where the changes of each operation end; first of all the end of what time alone changed
 * @param before counts before it, for undoing
 * @param operated what operators decided about providers
 * @param effects what the changes ask of other tables and other processes
 */
record Tentative(
        List<Change> changes, int[] ends, Totals before, Map<String, ProviderState> operated, Effects effects) {
    boolean isEmpty() {
        return changes.isEmpty() && operated.isEmpty();
    }

    /** What time alone changed. */
    List<Change> byTime() {
        return changes.subList(0, ends[0]);
    }

    /** What the operation of this index changed. */
    List<Change> by(int operation) {
        return changes.subList(ends[operation], ends[operation + 1]);
    }
}
