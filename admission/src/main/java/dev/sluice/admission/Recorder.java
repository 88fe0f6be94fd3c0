package dev.sluice.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The one gate through which decisions change rows: it applies each change, keeps it for the engine and counts it. */
final class Recorder {
    private final Book book;
    private final Forecast forecast;
    private final Tally tally;
    private List<Change> changes = new ArrayList<>();

    Recorder(Book book, Forecast forecast, Tally tally) {
        this.book = book;
        this.forecast = forecast;
        this.tally = tally;
    }

    void change(@Nullable Row before, @Nullable Row after, Change.Cause cause, long now) {
        record(new Change(before, after, cause, null), now);
    }

    void evict(Node node, Eviction reason, long now) {
        Row row = node.row;
        Binding binding = node.binding;
        Duration waited = Duration.ofNanos(Math.max(0, now - row.enqueuedAt()));
        Duration retryAfter = Duration.ofSeconds(1);
        Optional<WaitReason> why = row.detached()
                ? Optional.of(WaitReason.of(WaitReason.Kind.DETACHED))
                : Optional.ofNullable(binding).map(queue -> queue.reason);
        if (binding != null && binding.isParked()) {
            Binding.Watch blocker = binding.watched().getFirst();
            retryAfter = forecast.retryAfter(row.task(), blocker.scope(), Math.max(blocker.amount(), 1));
        }
        Evicted evicted = new Evicted(row.task(), reason, why, waited, retryAfter);
        record(new Change(row, null, Change.Cause.EVICTED, evicted), now);
    }

    private void record(Change change, long now) {
        Row before = change.before();
        Grant ended = before == null ? null : before.grant();
        if (ended != null && change.cause() == Change.Cause.RELEASED) {
            for (Lease lease : ended.leases()) {
                book.scope(lease.scope()).holdTime.observe(now - ended.at());
            }
        }
        book.replace(before, change.after(), now);
        book.rotation.follow(change);
        tally.count(change);
        changes.add(change);
    }

    /** The changes since the last call, in order. */
    List<Change> take() {
        if (changes.isEmpty()) {
            return List.of();
        }
        List<Change> taken = changes;
        changes = new ArrayList<>();
        return taken;
    }
}
