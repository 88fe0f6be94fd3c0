package dev.sluice.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Who holds each scope, for explanations: the tasks that hold it longest. Found by one pass over all tasks, which a
 * large ledger makes once a second at most, however many who wait ask.
 */
final class Holdings {
    private static final int SHOWN_MAX = 10;
    private static final int SMALL_TASKS = 1_000;
    private static final long OLD_NANOS = Duration.ofSeconds(1).toNanos();

    private final Book book;
    private final Map<Scope, List<UUID>> byScope = new HashMap<>();
    private long foundAt = Long.MIN_VALUE;

    Holdings(Book book) {
        this.book = book;
    }

    /** At most ten tasks, the longest holder first. */
    List<UUID> of(Scope scope, long now) {
        if (foundAt == Long.MIN_VALUE || book.nodes.size() <= SMALL_TASKS || now - foundAt >= OLD_NANOS) {
            find();
            foundAt = now;
        }
        return byScope.getOrDefault(scope, List.of());
    }

    private void find() {
        byScope.clear();
        List<Row> running = new ArrayList<>();
        for (Node node : book.nodes.all()) {
            if (!node.row.waits()) {
                running.add(node.row);
            }
        }
        running.sort(Comparator.comparingLong(Holdings::epoch));
        for (Row row : running) {
            Grant grant = row.grant();
            if (grant != null) {
                for (Lease lease : grant.leases()) {
                    List<UUID> holders = byScope.computeIfAbsent(lease.scope(), any -> new ArrayList<>());
                    if (holders.size() < SHOWN_MAX) {
                        holders.add(row.task());
                    }
                }
            }
        }
        byScope.replaceAll((scope, holders) -> List.copyOf(holders));
    }

    private static long epoch(Row row) {
        Grant grant = row.grant();
        return grant == null ? 0 : grant.epoch();
    }
}
