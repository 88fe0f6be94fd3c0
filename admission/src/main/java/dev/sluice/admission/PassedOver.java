package dev.sluice.admission;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Waiters of other processes whose heartbeat is overdue. A grant to them would probably lapse unseen, so others go
 * first; they still wait, and return to their places when their process is heard again.
 */
final class PassedOver {
    private final Book book;
    private final Predicate<Ask> isFirm;
    private final Map<String, List<Node>> byHolder = new HashMap<>();

    /** @param isFirm whether an ask is of this process, which knows that it lives */
    PassedOver(Book book, Predicate<Ask> isFirm) {
        this.book = book;
        this.isFirm = isFirm;
    }

    /** Takes {@code head} out of its queue if its process may be dead; true if so. */
    boolean takes(Node head) {
        if (!isFirm.test(head.row.ask())
                && head.row.ask().mode() instanceof Mode.Sync sync
                && book.waiterUntil(head.row) < leastUntil()) {
            book.leave(head);
            byHolder.computeIfAbsent(sync.holder(), any -> new ArrayList<>()).add(head);
            return true;
        }
        return false;
    }

    /**
     * A heartbeat is due each third of the waiter lease; overdue by a third, a third of the lease is left. Seen from
     * the last time that heartbeats were looked at: what this process did not listen to nobody is to blame for.
     */
    private long leastUntil() {
        return book.holders.heardAt() + book.policies.queueing().waiterLease().toNanos() / 3;
    }

    /** Puts back those whose process was heard since. */
    void giveBack(long now) {
        if (byHolder.isEmpty()) {
            return;
        }
        for (Iterator<Map.Entry<String, List<Node>>> each = byHolder.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<String, List<Node>> entry = each.next();
            if (book.holders.until(entry.getKey()) >= leastUntil()) {
                each.remove();
                entry.getValue().forEach(node -> giveBack(node, now));
            } else {
                entry.getValue().removeIf(node -> !isOut(node));
                if (entry.getValue().isEmpty()) {
                    each.remove();
                }
            }
        }
    }

    private void giveBack(Node node, long now) {
        if (isOut(node)) {
            book.join(node, now);
        }
    }

    private boolean isOut(Node node) {
        return book.node(node.row.task()) == node && node.row.waits() && !node.row.detached() && node.binding == null;
    }
}
