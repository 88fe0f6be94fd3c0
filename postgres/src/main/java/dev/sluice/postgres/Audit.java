package dev.sluice.postgres;

import dev.sluice.admission.ProviderState;
import dev.sluice.admission.Row;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares mirror, tables and journal, which must say the same. A difference is a bug, or somebody wrote into the
 * tables by hand; it is logged, counted, and the mirror begins again from the tables.
 */
final class Audit {
    private static final Logger LOG = LoggerFactory.getLogger(Audit.class);
    private static final int SHOWN_MAX = 5;

    private final AtomicLong total = new AtomicLong();
    private final AtomicLong made = new AtomicLong();
    private volatile int last;

    /** Differences of the last comparison. */
    int last() {
        return last;
    }

    /** Differences since the engine started. */
    long total() {
        return total.get();
    }

    long made() {
        return made.get();
    }

    void found(List<String> differences) {
        last = differences.size();
        made.incrementAndGet();
        total.addAndGet(last);
        if (last > 0) {
            LOG.error(
                    "the ledger drifted in {} places, for example {}; it begins again from the tables",
                    last,
                    differences.subList(0, Math.min(SHOWN_MAX, last)));
        }
    }

    /** Where a mirror differs from the tables. */
    static List<String> ofMirror(List<Row> mirror, Map<String, ProviderState> operated, Store.Tables tables) {
        List<String> differences = new ArrayList<>();
        Map<UUID, Row> missing = new HashMap<>(tables.rows());
        for (Row row : mirror) {
            Row written = missing.remove(row.task());
            if (!row.equals(written)) {
                differences.add("task " + row.task() + (written == null ? " is in no table" : " differs in its table"));
            }
        }
        missing.keySet().forEach(task -> differences.add("task " + task + " is in a table only"));
        Set<String> providers = new HashSet<>(operated.keySet());
        providers.addAll(tables.operated().keySet());
        for (String provider : providers) {
            if (!Objects.equals(operated.get(provider), tables.operated().get(provider))) {
                differences.add("the state of provider " + provider);
            }
        }
        return differences;
    }

    /** Where the tables and the journal differ among themselves. */
    static List<String> ofTables(Connection connection, String schema) throws SQLException {
        List<String> differences = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("""
                        select format('task %%s waits under other columns than its body', task)
                          from "%1$s".waiting, json(body) as b
                         where sequence <> (b->>'sequence')::bigint
                            or priority <> coalesce((b->>'priority')::int, 0)
                            or (holder is null) <> (b->>'waiter' is null)
                        union all
                        select format('task %%s runs under other columns than its body', task)
                          from "%1$s".active, json(body) as b
                         where epoch <> (b->>'epoch')::bigint
                            or (holder is null) <> (b->>'waiter' is null)
                            or provider is distinct from b->>'provider'
                        union all
                        select format('task %%s both waits and runs', task)
                          from "%1$s".waiting join "%1$s".active using (task)
                        union all
                        select format('the job of task %%s has no admission', j.task)
                          from "%1$s".job j left join "%1$s".active a on a.task = j.task and a.epoch = j.epoch
                         where a.task is null
                        union all
                        select format('task %%s was admitted without a job', a.task)
                          from "%1$s".active a left join "%1$s".job j on j.task = a.task and j.epoch = a.epoch
                         where j.task is null and a.holder is null
                        union all
                        select format('the journal has %%s entries from %%s to %%s',
                                      count(*), min(revision), max(revision))
                          from "%1$s".journal
                        having count(*) <> max(revision) - min(revision) + 1
                        """.formatted(schema))) {
            while (result.next()) {
                differences.add(result.getString(1));
            }
        }
        return differences;
    }
}
