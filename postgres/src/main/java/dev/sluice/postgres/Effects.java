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
 * What a batch must write: for each task only the difference between the first row before and the last row after, so a
 * task that came and went within one batch writes nothing.
 */
record Effects(
        List<UUID> waitingGone,
        List<Row> waiting,
        List<UUID> activeGone,
        List<Row> active,
        List<UUID> jobsGone,
        List<Row> jobs,
        List<Evicted> ended,
        List<String> hints) {
    private record Net(@Nullable Row before, @Nullable Row after) {}

    /** @param self this holder: everybody else whose waiter was promoted gets a hint */
    static Effects of(List<Change> changes, String self) {
        Map<UUID, Net> nets = new LinkedHashMap<>();
        for (Change change : changes) {
            nets.merge(
                    change.task(),
                    new Net(change.before(), change.after()),
                    (first, last) -> new Net(first.before(), last.after()));
        }
        Effects effects = new Effects(
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>());
        nets.values().forEach(effects::add);
        for (Change change : changes) {
            Row before = change.before();
            Evicted evicted = change.evicted();
            if (evicted != null && before != null && !before.ask().isSync()) {
                effects.ended.add(evicted);
            }
        }
        effects.hints.addAll(hints(changes, self));
        return effects;
    }

    private void add(Net net) {
        Row before = net.before();
        Row after = net.after();
        boolean waited = before != null && before.waits();
        boolean ran = before != null && !before.waits();
        boolean waits = after != null && after.waits();
        boolean runs = after != null && !after.waits();
        if (before != null && waited && !waits) {
            waitingGone.add(before.task());
        }
        if (before != null && ran && !runs) {
            activeGone.add(before.task());
        }
        if (after != null && waits && !after.equals(before)) {
            waiting.add(after);
        }
        if (after != null && runs && !after.equals(before)) {
            active.add(after);
        }
        addJobs(before, after);
    }

    private void addJobs(@Nullable Row before, @Nullable Row after) {
        long was = epoch(before);
        long is = epoch(after);
        if (was != is) {
            if (before != null && was != 0) {
                jobsGone.add(before.task());
            }
            if (after != null && is != 0) {
                jobs.add(after);
            }
        }
    }

    /** The epoch of an admitted asynchronous task; 0 for anything else. */
    private static long epoch(@Nullable Row row) {
        Grant grant = row == null || row.ask().isSync() ? null : row.grant();
        return grant == null ? 0 : grant.epoch();
    }

    private static TreeSet<String> hints(List<Change> changes, String self) {
        TreeSet<String> hints = new TreeSet<>();
        for (Change change : changes) {
            Row before = change.before();
            Row after = change.after();
            // The one who waited must hear of it: admitted, evicted, or taken over by another process.
            if (before != null && before.waits() && (after == null || !after.waits() || !same(before, after))) {
                String holder = holder(before.ask());
                if (holder != null && !holder.equals(self)) {
                    hints.add(holder);
                }
            }
        }
        if (changes.stream()
                .anyMatch(change -> change.after() != null && epoch(change.after()) != epoch(change.before()))) {
            hints.add("*");
        }
        return hints;
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

    boolean isEmpty() {
        return waitingGone.isEmpty() && waiting.isEmpty() && activeGone.isEmpty() && active.isEmpty();
    }
}
