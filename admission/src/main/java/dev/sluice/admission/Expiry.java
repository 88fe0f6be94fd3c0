package dev.sluice.admission;

import org.jspecify.annotations.Nullable;

/** What time alone does: it runs before every decision, so that a corpse never counts and never stands in the way. */
final class Expiry {
    private final Book book;
    private final Deadlines deadlines;
    private final Recorder recorder;

    Expiry(Book book, Deadlines deadlines, Recorder recorder) {
        this.book = book;
        this.deadlines = deadlines;
        this.recorder = recorder;
    }

    void run(long now) {
        for (Node node = book.agenda.poll(now); node != null; node = book.agenda.poll(now)) {
            Grant grant = node.row.grant();
            if (grant == null) {
                waiting(node, now);
            } else if (grant.expiresAt() > now) {
                book.arm(node);
            } else if (grant.provisional()) {
                unconfirmed(node, now);
            } else {
                recorder.change(node.row, expired(node.row, now), Change.Cause.EXPIRED, now);
            }
        }
    }

    /**
     * Nobody is left to want a synchronous task. An asynchronous one lost its executor: it goes back to its old place,
     * with a new time to wait, and another executor will have it.
     */
    private @Nullable Row expired(Row row, long now) {
        return row.ask().isSync() ? null : row.ungranted().due(deadlines.of(row.ask(), now), Long.MAX_VALUE);
    }

    private void waiting(Node node, long now) {
        if (node.row.deadline() <= now) {
            recorder.evict(node, Eviction.QUEUE_TIMEOUT, now);
        } else if (book.waiterUntil(node.row) <= now) {
            recorder.evict(node, Eviction.WAITER_LOST, now);
        } else {
            Binding binding = node.binding;
            if (binding != null
                    && binding.route != null
                    && binding.route.stage(now - node.row.enqueuedAt()) != binding.key.stage()) {
                // It has waited long enough for another entry of its route.
                book.leave(node);
                book.join(node, now);
            }
            book.arm(node);
        }
    }

    /** Back to its old place, if anybody still waits for it there. */
    private void unconfirmed(Node node, long now) {
        recorder.change(node.row, node.row.ungranted(), Change.Cause.RETURNED, now);
        Node back = book.node(node.row.task());
        if (back != null) {
            waiting(back, now);
        }
    }
}
