package dev.sluice.admission;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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
        Row before = node.row;
        recorder.change(before, granted(before, now), Change.Cause.ADMITTED, now);
        charge(node, now);
    }

    /** Admits a task that is not in the book yet, or that leaves {@code before}. */
    void grantNew(@Nullable Row before, Row row, Change.Cause cause, long now) {
        Row after = granted(row, now);
        recorder.change(before, after, cause, now);
        Node node = book.node(row.task());
        if (node != null) {
            charge(node, now);
        }
    }

    private Row granted(Row row, long now) {
        RouteState.Entry entry = fitting.entry;
        ProviderSlots provider = fitting.provider;
        Ask ask = row.ask();
        List<Lease> leases = new ArrayList<>(ask.demands().size() + 3);
        for (Demand demand : ask.demands()) {
            leases.add(new Lease(demand.scope(), demand.amount()));
        }
        Placement placement = null;
        String rotatedFrom = "";
        if (entry != null && provider != null) {
            Routing routing = ask.routing().orElseThrow();
            boolean longSlot = routing.longContext() && provider.longSlots.isLimited();
            leases.add(new Lease(entry.platformModel().scope, routing.amount()));
            leases.add(new Lease(provider.slots.scope, Amount.ONE));
            if (longSlot) {
                leases.add(new Lease(provider.longSlots.scope, Amount.ONE));
            }
            leases.sort(Comparator.comparing(Lease::scope));
            placement = new Placement(provider.id, entry.platformModel().scope, longSlot);
            RouteState route = book.routes.get(routing.route());
            rotatedFrom = route == null ? "" : route.lastChosen;
        }
        long ttl = ttl(leases, placement);
        boolean provisional = !isFirm.test(ask);
        long expiresAt = provisional ? Math.min(now + ttl, Math.max(book.waiterUntil(row), now + 1)) : now + ttl;
        Scope bound = placement == null ? row.bound() : placement.platformModel();
        return row.queued(bound, row.dispatchOnly())
                .with(new Grant(
                        book.nextEpoch++,
                        List.copyOf(leases),
                        placement,
                        now,
                        ttl,
                        expiresAt,
                        provisional,
                        rotatedFrom));
    }

    /** The TTL of its platform model; without a route the smallest of its scopes. */
    private long ttl(List<Lease> leases, @Nullable Placement placement) {
        if (placement != null) {
            return book.scope(placement.platformModel()).policy.leaseTtl().toNanos();
        }
        long smallest = Long.MAX_VALUE;
        for (Lease lease : leases) {
            smallest = Math.min(
                    smallest, book.scope(lease.scope()).policy.leaseTtl().toNanos());
        }
        return smallest;
    }

    /**
     * An overtake counts if the overtaker took room in a scope that an earlier task needs and that lacks room for it
     * now. It is charged to the front of each such scope, once for each admission.
     */
    private void charge(Node overtaker, long now) {
        Grant grant = overtaker.row.grant();
        if (grant == null || (book.waitingSync | book.waitingAsync) == 0) {
            return;
        }
        Set<Node> charged = new HashSet<>();
        for (Lease lease : grant.leases()) {
            ScopeState scope = book.scope(lease.scope());
            Node front = scope.front();
            if (front != null
                    && front.before(overtaker)
                    && !front.isLongBlocked()
                    && !scope.fits(scope.amountOf(front))
                    && charged.add(front)) {
                recorder.change(front.row, front.row.overtaken(), Change.Cause.OVERTAKEN, now);
            }
        }
    }
}
