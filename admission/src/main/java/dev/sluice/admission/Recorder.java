package dev.sluice.admission;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The one gate through which decisions change rows: it applies each change, keeps it for the engine and counts it. */
final class Recorder {
    /** As many as most decisions make. */
    private static final int CHANGES = 4;

    private final Book book;
    private final Forecast forecast;
    private final Tally tally;
    private List<Change> changes = new ArrayList<>(CHANGES);

    Recorder(Book book, Forecast forecast, Tally tally) {
        this.book = book;
        this.forecast = forecast;
        this.tally = tally;
    }

    /** A task that nobody knew has to wait. */
    void queue(Node node, Row row, long now) {
        book.add(node, row, null, now);
        note(new Change(null, row, Change.Cause.QUEUED, null));
    }

    /** A task that nobody knew is admitted. */
    void admit(Node node, Row row, Footprint granted, long now) {
        book.add(node, row, granted, now);
        Rotation.turn(granted);
        note(new Change(null, row, Change.Cause.ADMITTED, null));
    }

    /** A task of the book is admitted, or moved. */
    void grant(Node node, Row after, Footprint granted, Change.Cause cause, long now) {
        Row before = node.row;
        book.change(node, after, granted, now);
        Rotation.turn(granted);
        note(new Change(before, after, cause, null));
    }

    /** Anything else that changes a row. */
    void change(Node node, Row after, Change.Cause cause, long now) {
        Row before = node.row;
        book.change(node, after, null, now);
        Change change = new Change(before, after, cause, null);
        book.rotation.follow(change);
        note(change);
    }

    /** An admitted task ends; what it held is free. */
    void release(Node node, Change.Cause cause, long now) {
        Row before = node.row;
        Grant ended = before.grant();
        Footprint held = node.footprint;
        if (cause == Change.Cause.RELEASED && ended != null && held != null) {
            for (ScopeState scope : held.scopes()) {
                scope.holdTime.observe(now - ended.at());
            }
        }
        book.change(node, null, null, now);
        note(new Change(before, null, cause, null));
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
            Fitting.Blocker blocker = binding.watched().getFirst();
            retryAfter = forecast.retryAfter(row.task(), blocker.scope(), Math.max(blocker.amount(), 1));
        }
        Evicted evicted = new Evicted(row.task(), reason, why, waited, retryAfter);
        book.change(node, null, null, now);
        note(new Change(row, null, Change.Cause.EVICTED, evicted));
    }

    private void note(Change change) {
        tally.count(change);
        changes.add(change);
    }

    /** Hands over the changes since the last call, in order; they are gone afterwards. */
    <T> T drain(Function<List<Change>, T> reader) {
        T read = reader.apply(changes);
        changes.clear();
        return read;
    }

    /** The changes since the last call, in order. */
    List<Change> take() {
        if (changes.isEmpty()) {
            return List.of();
        }
        List<Change> taken = changes;
        changes = new ArrayList<>(CHANGES);
        return taken;
    }
}
