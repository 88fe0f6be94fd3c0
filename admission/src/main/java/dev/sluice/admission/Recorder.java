package dev.sluice.admission;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The one gate through which decisions change rows: it applies each change, counts it and shows it to the engine. */
final class Recorder {
    private final Book book;
    private final Forecast forecast;
    private final Tally tally;
    private final Witness witness;

    Recorder(Book book, Forecast forecast, Tally tally, Witness witness) {
        this.book = book;
        this.forecast = forecast;
        this.tally = tally;
        this.witness = witness;
    }

    /** A task that nobody knew has to wait in {@code binding}. */
    void queue(Node node, Row row, Binding binding) {
        book.queue(node, row, binding);
        note(node, null, row, Change.Cause.QUEUED, null);
    }

    /** A task that nobody knew is admitted. */
    void admit(Node node, Row row, Footprint granted, long now) {
        book.add(node, row, granted, now);
        Rotation.turn(granted);
        note(node, null, row, Change.Cause.ADMITTED, null);
    }

    /** A task of the book is admitted, or moved. */
    void grant(Node node, Row after, Footprint granted, Change.Cause cause, long now) {
        Row before = node.row;
        book.change(node, after, granted, now);
        Rotation.turn(granted);
        note(node, before, after, cause, null);
    }

    /** Anything else that changes a row. */
    void change(Node node, Row after, Change.Cause cause, long now) {
        Row before = node.row;
        book.change(node, after, null, now);
        book.rotation.follow(before, after, cause);
        note(node, before, after, cause, null);
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
        note(node, before, null, cause, null);
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
        note(node, row, null, Change.Cause.EVICTED, evicted);
    }

    private void note(
            Node node, @Nullable Row before, @Nullable Row after, Change.Cause cause, @Nullable Evicted evicted) {
        tally.count(cause, evicted);
        witness.saw(node, before, after, cause, evicted);
    }
}
