package dev.sluice.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** Turns a "yes" of {@link Fitting} into leases, and charges the overtake to whoever was passed. */
final class Granting {
    private final Book book;
    private final Fitting fitting;
    private final Recorder recorder;
    private final Predicate<Ask> isFirm;

    /** @param isFirm whether a grant needs no {@link Admission#confirm}; one to another process's waiter does */
    Granting(Book book, Fitting fitting, Recorder recorder, Predicate<Ask> isFirm) {
        this.book = book;
        this.fitting = fitting;
        this.recorder = recorder;
        this.isFirm = isFirm;
    }

    /** Admits a task of the book for which {@link Fitting#fits} just said yes. */
    void grant(Node node, long now) {
        move(node, node.row, Change.Cause.ADMITTED, now);
    }

    /** Admits a task that nobody knew. */
    void grantNew(Node node, long now) {
        Footprint footprint = granted();
        recorder.admit(node, granted(node.row, footprint, now), footprint, now);
        charge(node, footprint, now);
    }

    /** Admits a task of the book as {@code moved}. */
    void move(Node node, Row moved, Change.Cause cause, long now) {
        Footprint footprint = granted();
        recorder.grant(node, granted(moved, footprint, now), footprint, cause, now);
        charge(node, footprint, now);
    }

    private Footprint granted() {
        return Objects.requireNonNull(fitting.footprint, "nothing fits");
    }

    private Row granted(Row row, Footprint footprint, long now) {
        Placement placement = footprint.placement();
        long ttl = footprint.ttl();
        boolean provisional = !isFirm.test(row.ask());
        long expiresAt = provisional ? Math.min(now + ttl, Math.max(book.waiterUntil(row), now + 1)) : now + ttl;
        return row.granted(
                placement == null ? row.bound() : footprint.platformModel(),
                new Grant(
                        book.nextEpoch++,
                        footprint.leases(),
                        placement,
                        now,
                        ttl,
                        expiresAt,
                        provisional,
                        footprint.rotatedFrom()));
    }

    /**
     * An overtake counts if the overtaker took room in a scope that an earlier task needs and that lacks room for it
     * now. It is charged to the first such task of each scope, once for each admission.
     */
    private void charge(Node overtaker, Footprint footprint, long now) {
        if ((book.waitingSync | book.waitingAsync) == 0) {
            return;
        }
        List<Node> charged = List.of();
        for (ScopeState scope : footprint.scopes()) {
            Binding queue = scope.firstWithoutRoom();
            if (queue == null || !queue.isBefore(overtaker) || queue.holdsUpNobody()) {
                continue;
            }
            Node passed = queue.front();
            if (!charged.contains(passed)) {
                charged = charged.isEmpty() ? new ArrayList<>(2) : charged;
                charged.add(passed);
                recorder.change(passed, passed.row.overtaken(), Change.Cause.OVERTAKEN, now);
            }
        }
    }
}
