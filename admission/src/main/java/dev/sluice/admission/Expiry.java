package dev.sluice.admission;

/** What time alone does: it runs before every decision, so that a corpse never counts and never stands in the way. */
final class Expiry {
    private final Book book;
    private final Deadlines deadlines;
    private final QueueRules rules;
    private final Recorder recorder;

    Expiry(Book book, Deadlines deadlines, QueueRules rules, Recorder recorder) {
        this.book = book;
        this.deadlines = deadlines;
        this.rules = rules;
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
                expired(node, now);
            }
        }
    }

    /**
     * Nobody is left to want a synchronous task. An asynchronous one lost its executor: it goes back to its old place,
     * with a new time to wait, and another executor will have it.
     */
    private void expired(Node node, long now) {
        Row row = node.row;
        if (row.ask().isSync()) {
            recorder.release(node, Change.Cause.EXPIRED, now);
        } else {
            requeued(node, Change.Cause.EXPIRED, now);
        }
    }

    /** The executor of an asynchronous task gives it up, and another one will have it. */
    void handedBack(Node node, long now) {
        requeued(node, Change.Cause.RETURNED, now);
    }

    private void requeued(Node node, Change.Cause cause, long now) {
        Row row = node.row;
        // What its client said of waiting was for the first time; this time is none of the client's making.
        Ask ask = row.ask().within(MaxWait.INHERIT);
        Row again = row.requeued(now)
                .asked(ask)
                .due(deadlines.of(ask, now), Long.MAX_VALUE)
                .queued(book.boundOf(row), false);
        recorder.change(node, again, cause, now);
        returned(row, now);
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
        Row back = node.row.ungranted().queued(book.boundOf(node.row), node.row.dispatchOnly());
        recorder.change(node, back, Change.Cause.RETURNED, now);
        returned(node.row, now);
    }

    /** The configuration may have moved on while the task ran, and a place in the queue is of no use without a route. */
    private void returned(Row row, long now) {
        Node back = book.node(row.task());
        if (back == null) {
            return;
        }
        Refusal impossible = rules.impossible(row.ask(), book.scopesOf(row.ask()));
        if (impossible != null) {
            recorder.evict(back, Reconfiguration.evictionFor(impossible), now);
        } else {
            waiting(back, now);
        }
    }
}
