package dev.sluice.postgres;

import dev.sluice.admission.Change;
import dev.sluice.admission.Row;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the journal has and the tables have not: of each task the row that its table holds and the one it should hold. A
 * task that came and went since the last fold is not among them. Touched by the writer's thread alone.
 */
final class Unfolded {
    /** So long, or so many changes, the tables may be behind the journal. */
    private static final long AGE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(250);

    private static final int CHANGES_MAX = 8_192;

    private record Net(@Nullable Row written, @Nullable Row row) {}

    /** What a fold writes. */
    record Fold(List<UUID> waitingGone, List<Row> waiting, List<UUID> activeGone, List<Row> active) {
        /** Rows that are dead afterwards, at most. */
        int replaced() {
            return waitingGone.size() + waiting.size() + activeGone.size() + active.size();
        }
    }

    private final Map<UUID, Net> nets = new HashMap<>();
    private int entries;
    private int changes;
    private long since;

    /**
     * Refuses now what a fold could not write: the journal takes any text, since JSON escapes it, a column does not.
     *
     * @param self a holder who can be written
     */
    static void check(@Nullable Row row, String self) throws SQLException {
        if (row != null) {
            String holder = Effects.holder(row.ask());
            if (holder != null && !holder.equals(self)) {
                check(holder);
            }
            String provider = Effects.provider(row);
            if (provider != null) {
                check(provider);
            }
        }
    }

    private static void check(String text) throws SQLException {
        if (text.indexOf(0) >= 0) {
            throw new SQLException("a name with a NUL cannot be stored", "22021");
        }
    }

    /**
     * Adds an entry of the journal.
     *
     * @param now of any clock, for {@link #isDue}
     */
    void add(List<Change> committed, long now) {
        if (entries++ == 0) {
            since = now;
        }
        changes += committed.size();
        for (Change change : committed) {
            add(change.task(), change.before(), change.after());
        }
    }

    private void add(UUID task, @Nullable Row before, @Nullable Row after) {
        Net known = nets.get(task);
        Row written = known == null ? before : known.written();
        if (written == null && after == null) {
            nets.remove(task);
        } else {
            nets.put(task, new Net(written, after));
        }
    }

    /** The tables have everything. */
    void clear() {
        nets.clear();
        entries = 0;
        changes = 0;
    }

    /** Whether the newest entry of the journal is a fold. */
    boolean isEmpty() {
        return entries == 0;
    }

    /** Whether the tables are so far behind the journal that they should follow. */
    boolean isDue(long now) {
        return changes >= CHANGES_MAX || untilDue(now) <= 0;
    }

    /** When they should, in nanoseconds from now; {@link Long#MAX_VALUE} if they have everything. */
    long untilDue(long now) {
        return isEmpty() ? Long.MAX_VALUE : AGE_NANOS_MAX - (now - since);
    }

    Fold fold() {
        Fold fold = new Fold(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        nets.forEach((task, net) -> {
            Row written = net.written();
            Row row = net.row();
            boolean waits = row != null && row.waits();
            boolean runs = row != null && !row.waits();
            if (written != null && written.waits() && !waits) {
                fold.waitingGone.add(task);
            }
            if (written != null && !written.waits() && !runs) {
                fold.activeGone.add(task);
            }
            if (row != null && !row.equals(written)) {
                (waits ? fold.waiting : fold.active).add(row);
            }
        });
        return fold;
    }
}
