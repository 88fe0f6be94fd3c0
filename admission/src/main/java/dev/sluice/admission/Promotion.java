package dev.sluice.admission;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Admits whoever may run after something changed, strictly in the order of the ledger. Afterwards no waiting task
 * could be admitted: that is what lets a newcomer who fits run at once without overtaking anybody who could.
 *
 * <p>It looks only at queues whose head is new and at queues that watch a scope which changed, so a release costs
 * O(queues of its scopes × log) and usually two looks, however many wait.
 */
final class Promotion {
    private final Book book;
    private final Fitting fitting;
    private final Granting granting;
    private final PassedOver passedOver;

    Promotion(Book book, Fitting fitting, Granting granting, PassedOver passedOver) {
        this.book = book;
        this.fitting = fitting;
        this.granting = granting;
        this.passedOver = passedOver;
    }

    void run(long now) {
        for (Binding next = pick(); next != null; next = pick()) {
            examine(next, now);
        }
    }

    /** The queue with the earliest head among all that might move. */
    private @Nullable Binding pick() {
        Heads.Place fresh = book.fresh.first();
        Binding earliest = fresh == null ? null : fresh.binding;
        List<ScopeState> dirty = book.dirty;
        for (int i = dirty.size() - 1; i >= 0; i--) {
            Binding candidate = dirty.get(i).candidate();
            if (candidate == null) {
                clean(i);
            } else if (earliest == null || candidate.headBefore(earliest)) {
                earliest = candidate;
            }
        }
        return earliest;
    }

    private void clean(int at) {
        List<ScopeState> dirty = book.dirty;
        dirty.get(at).isDirty = false;
        ScopeState last = dirty.removeLast();
        if (at < dirty.size()) {
            dirty.set(at, last);
        }
    }

    private void examine(Binding binding, long now) {
        book.fresh.remove(binding.fresh);
        Node head = binding.head();
        boolean heldUpNobody = binding.holdsUpNobody();
        if (head == null) {
            return;
        }
        if (fitting.fits(binding, head)) {
            if (!passedOver.takes(head)) {
                granting.grant(head, now);
            }
            if (!binding.isEmpty() && !(binding.isParked() && binding.waitsForScope())) {
                // What kept this head keeps the next one no longer, or perhaps something else does.
                book.fresh.put(binding.fresh);
            }
            return;
        }
        binding.park(fitting.blockers, fitting.reason);
        if (!heldUpNobody && binding.holdsUpNobody() && head.starved) {
            // It must not hold up anybody now: what it set aside is free.
            book.setAsideScopes(head).forEach(book::touch);
        }
    }
}
