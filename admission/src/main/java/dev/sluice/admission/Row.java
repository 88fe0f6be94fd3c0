package dev.sluice.admission;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * All that the ledger must remember about one task, and nothing that can be derived: the durable engine writes exactly
 * this. Instants are ledger nanoseconds.
 *
 * @param sequence drawn when the task first came; the order is (priority, sequence)
 * @param enqueuedAt when its wait began: when it first came, and again when it lost what it held
 * @param deadline when its wait ends, {@link Long#MAX_VALUE} for never
 * @param deadlineCap a rebind's earlier deadline, which no later policy extends
 * @param waiterUntil when the waiter's own lease lapses; a later heartbeat of its holder extends it
 * @param detached the connection left and the place is kept, skipped
 * @param overtakes how often it was overtaken in a way that counts
 * @param dispatchOnly it counted against the dispatch queue when it was queued
 * @param bound the platform model whose queue it counts in, or in which it runs; null without a route
 * @param grant what it holds; null while it waits
 */
public record Row(
        Ask ask,
        long sequence,
        long enqueuedAt,
        long deadline,
        long deadlineCap,
        long waiterUntil,
        boolean detached,
        int overtakes,
        boolean dispatchOnly,
        @Nullable Scope bound,
        @Nullable Grant grant) {
    /** A task that has just come, which neither waits nor runs yet. */
    static Row arriving(Ask ask, long sequence, long now, long waiterUntil) {
        return new Row(ask, sequence, now, Long.MAX_VALUE, Long.MAX_VALUE, waiterUntil, false, 0, false, null, null);
    }

    /** Whose row it is. */
    public UUID task() {
        return ask.task();
    }

    /** Whether it holds nothing yet. */
    public boolean waits() {
        return grant == null;
    }

    /** Whether both stand in the same place: renewals, heartbeats and counts move no task in any queue. */
    boolean standsLike(Row other) {
        Grant was = grant;
        Grant is = other.grant;
        boolean sameGrant = was == null ? is == null : is != null && was.epoch() == is.epoch();
        return sameGrant
                && detached == other.detached
                && dispatchOnly == other.dispatchOnly
                && Objects.equals(bound, other.bound)
                && sequence == other.sequence
                && (ask.equals(other.ask) || needsLike(other.ask));
    }

    private boolean needsLike(Ask other) {
        return ask.priority() == other.priority()
                && ask.demands().equals(other.demands())
                && ask.routing().equals(other.routing())
                && ask.isSync() == other.isSync();
    }

    /** @param in the platform model it runs on; null without a route */
    Row granted(@Nullable Scope in, Grant granted) {
        return new Row(
                ask,
                sequence,
                enqueuedAt,
                deadline,
                deadlineCap,
                waiterUntil,
                detached,
                overtakes,
                dispatchOnly,
                in,
                granted);
    }

    Row with(Grant granted) {
        return new Row(
                ask,
                sequence,
                enqueuedAt,
                deadline,
                deadlineCap,
                waiterUntil,
                detached,
                overtakes,
                dispatchOnly,
                bound,
                granted);
    }

    /** The task back in its old place: a grant that nobody confirmed. */
    Row ungranted() {
        return requeued(enqueuedAt);
    }

    /** The task in the queue again at its old age, with a new wait that begins at {@code at}. */
    Row requeued(long at) {
        return new Row(
                ask, sequence, at, deadline, deadlineCap, waiterUntil, detached, overtakes, dispatchOnly, bound, null);
    }

    Row asked(Ask changed) {
        return new Row(
                changed,
                sequence,
                enqueuedAt,
                deadline,
                deadlineCap,
                waiterUntil,
                detached,
                overtakes,
                dispatchOnly,
                bound,
                grant);
    }

    Row held(long until, boolean away) {
        return new Row(
                ask, sequence, enqueuedAt, deadline, deadlineCap, until, away, overtakes, dispatchOnly, bound, grant);
    }

    Row due(long by, long cap) {
        return new Row(
                ask, sequence, enqueuedAt, by, cap, waiterUntil, detached, overtakes, dispatchOnly, bound, grant);
    }

    Row overtaken() {
        return new Row(
                ask,
                sequence,
                enqueuedAt,
                deadline,
                deadlineCap,
                waiterUntil,
                detached,
                overtakes + 1,
                dispatchOnly,
                bound,
                grant);
    }

    /**
     * A task that has just come and waits.
     *
     * @param by at most until then
     * @param shared equal to its ask
     */
    Row queued(@Nullable Scope in, boolean forDispatch, long by, Ask shared) {
        return new Row(
                shared,
                sequence,
                enqueuedAt,
                by,
                Long.MAX_VALUE,
                waiterUntil,
                detached,
                overtakes,
                forDispatch,
                in,
                grant);
    }

    Row queued(@Nullable Scope in, boolean forDispatch) {
        return new Row(
                ask,
                sequence,
                enqueuedAt,
                deadline,
                deadlineCap,
                waiterUntil,
                detached,
                overtakes,
                forDispatch,
                in,
                grant);
    }
}
