package dev.sluice.postgres;

import dev.sluice.admission.Ask;
import dev.sluice.admission.Change;
import dev.sluice.admission.Evicted;
import dev.sluice.admission.Grant;
import dev.sluice.admission.Mode;
import dev.sluice.admission.Placement;
import dev.sluice.admission.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a batch must write beside its journal entry, in the same transaction: the jobs of asynchronous tasks, their ends,
 * and hints for other processes.
 */
record Effects(List<UUID> jobsGone, List<Row> jobs, List<Evicted> ended, List<String> hints) {
    private static final Effects NONE = new Effects(List.of(), List.of(), List.of(), List.of());

    /**
     * @param self this holder: everybody else whose waiter was promoted gets a hint
     * @param alone whether no other holder lives, who would have to hear of work for executors
     */
    static Effects of(List<Change> changes, String self, boolean alone) {
        TreeSet<String> hints = new TreeSet<>();
        Map<UUID, long[]> epochs = new LinkedHashMap<>();
        Map<UUID, Row> last = new LinkedHashMap<>();
        List<Evicted> ended = new ArrayList<>();
        for (Change change : changes) {
            Row before = change.before();
            Row after = change.after();
            hint(before, after, self, hints);
            if (isAsync(before) || isAsync(after)) {
                long is = epoch(after);
                epochs.computeIfAbsent(change.task(), any -> new long[] {epoch(before), 0})[1] = is;
                if (is != 0 && after != null) {
                    last.put(change.task(), after);
                }
                Evicted evicted = change.evicted();
                if (evicted != null && isAsync(before)) {
                    ended.add(evicted);
                }
            }
        }
        return hints.isEmpty() && epochs.isEmpty() ? NONE : of(epochs, last, ended, hints, alone);
    }

    /** Of each task only the difference between its first and its last state. */
    private static Effects of(
            Map<UUID, long[]> epochs, Map<UUID, Row> last, List<Evicted> ended, TreeSet<String> hints, boolean alone) {
        List<UUID> gone = new ArrayList<>();
        List<Row> jobs = new ArrayList<>();
        epochs.forEach((task, epoch) -> {
            Row row = last.get(task);
            if (epoch[0] != epoch[1]) {
                if (epoch[0] != 0) {
                    gone.add(task);
                }
                if (epoch[1] != 0 && row != null) {
                    jobs.add(row);
                }
            }
        });
        // A notification makes every commit take a lock of the whole server; this process hears of its work without.
        if (!jobs.isEmpty() && !alone) {
            hints.add("*");
        }
        return new Effects(gone, jobs, ended, List.copyOf(hints));
    }

    /** The one who waited must hear of it: admitted, evicted, or taken over by another process. */
    private static void hint(@Nullable Row before, @Nullable Row after, String self, TreeSet<String> hints) {
        if (before != null && before.waits() && (after == null || !after.waits() || !same(before, after))) {
            String holder = holder(before.ask());
            if (holder != null && !holder.equals(self)) {
                hints.add(holder);
            }
        }
    }

    private static boolean isAsync(@Nullable Row row) {
        return row != null && !row.ask().isSync();
    }

    /** The epoch of an admitted asynchronous task; 0 for anything else. */
    private static long epoch(@Nullable Row row) {
        Grant grant = row == null || row.ask().isSync() ? null : row.grant();
        return grant == null ? 0 : grant.epoch();
    }

    private static boolean same(Row before, Row after) {
        return before.ask().mode().equals(after.ask().mode());
    }

    static @Nullable String holder(Ask ask) {
        return ask.mode() instanceof Mode.Sync sync ? sync.holder() : null;
    }

    static @Nullable String provider(Row row) {
        Grant grant = row.grant();
        Placement placement = grant == null ? null : grant.placement();
        return placement == null ? null : placement.provider();
    }

    boolean isNone() {
        return jobsGone.isEmpty() && jobs.isEmpty() && ended.isEmpty() && hints.isEmpty();
    }
}
