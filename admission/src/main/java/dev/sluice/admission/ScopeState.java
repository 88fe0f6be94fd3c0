package dev.sluice.admission;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the ledger knows of one scope. Provider slots are scopes too, so one mechanism serves all. */
final class ScopeState {
    final Scope scope;
    ScopePolicy policy = ScopePolicy.UNLIMITED;

    /** Thousandths; {@link Long#MAX_VALUE} for unlimited. */
    long limit = Long.MAX_VALUE;

    /** False for a provider that must not get work: disabled, draining, down or gone. */
    boolean open = true;

    /** Routes or providers refer to it. */
    boolean pinned;

    long active;
    int waitingSync;
    int waitingAsync;

    /** Thousandths that all waiting tasks ask of it, for the virtual usage of asynchronous registration. */
    long waitingAmount;

    /** Queues whose tasks need this scope and that wait for another one. */
    private final Heads bystanders = new Heads();

    /** No queue in line needs more for one task, 0 if there is none; so long as this much is free, nobody lacks room. */
    private long largest;

    /** Queues that cannot move until this scope has room. */
    private final Watchers watchers = new Watchers();

    /** Queues whose head must first become the front of this scope (strict ordering). */
    private final Set<Binding> frontWatchers = new HashSet<>();

    /** It is on the book's list of scopes that may have gained room or a new front. */
    boolean isDirty;

    /** Tasks that set their amounts aside here, in order, as long as these fit together; see {@link #setAsideBefore}. */
    final TreeSet<Node> starved = new TreeSet<>(Node.ORDER);

    final HoldTime holdTime = new HoldTime();

    /** The last sorted copy of a long line, see {@link Lines}. */
    Lines.@Nullable Sorted line;

    /** The answer that most who lack room here get. */
    private List<Fitting.Blocker> usualShort = List.of();

    final WaitReason behindOthers;
    private final WaitReason full;

    ScopeState(Scope scope) {
        this.scope = scope;
        this.behindOthers = WaitReason.of(WaitReason.Kind.BEHIND_OTHERS, scope);
        this.full = WaitReason.of(WaitReason.Kind.SCOPE, scope);
    }

    int waiting() {
        return waitingSync + waitingAsync;
    }

    boolean isLimited() {
        return limit != Long.MAX_VALUE;
    }

    /** Room by the limit alone. */
    boolean fits(long amount) {
        return open && (limit == Long.MAX_VALUE || active + amount <= limit);
    }

    /** Room for {@code node} beyond what earlier starved tasks set aside. */
    boolean hasRoom(long amount, Node node) {
        if (!fits(amount)) {
            return false;
        }
        if (starved.isEmpty() || limit == Long.MAX_VALUE) {
            return true;
        }
        return active + amount + setAsideBefore(node) <= limit;
    }

    /**
     * What tasks before {@code node} set aside here: all that starve, but those who hold up nobody. The
     * first that does not fit beside those before it ends the row: nobody sets aside what could not become free.
     */
    private long setAsideBefore(Node node) {
        long aside = 0;
        for (Node holder : starved) {
            if (holder == node || node.before(holder)) {
                break;
            }
            long own = holder.holdsUpNobody() ? 0 : amountOf(holder);
            if (aside + own > limit) {
                break;
            }
            aside += own;
        }
        return aside;
    }

    /** What the task needs here; a provider slot is always one. */
    long amountOf(Node node) {
        if (scope.isOfProvider()) {
            return Amount.ONE;
        }
        for (Demand demand : node.row.ask().demands()) {
            if (demand.scope().equals(scope)) {
                return demand.amount();
            }
        }
        return node.row.ask().routing().map(Routing::amount).orElse(0L);
    }

    /** Puts a queue in line, or to where it belongs after its head has changed. */
    void stand(Stand stand) {
        largest = Math.max(largest, stand.amount);
        if (stand.isWatching()) {
            watchers.put(stand.watcher());
        } else {
            bystanders.put(stand);
        }
    }

    /** Takes a queue that watches nothing out of the line. */
    void leave(Stand stand) {
        bystanders.remove(stand);
        if (isEmpty()) {
            largest = 0;
        }
    }

    void watch(Stand stand) {
        watchers.put(stand.watcher());
        bystanders.remove(stand);
    }

    void unwatch(Stand stand) {
        watchers.remove(stand.watcher());
        if (stand.isFront) {
            bystanders.put(stand);
        }
    }

    void watchFront(Binding binding) {
        frontWatchers.add(binding);
    }

    void unwatchFront(Binding binding) {
        frontWatchers.remove(binding);
    }

    boolean isWatched() {
        return !watchers.isEmpty() || !frontWatchers.isEmpty();
    }

    private boolean isEmpty() {
        return bystanders.isEmpty() && watchers.isEmpty();
    }

    /** Every queue that stands here, in no order. */
    void forEachQueue(Consumer<Heads.Place> action) {
        forEach(bystanders, action);
        watchers.forEach(heads -> forEach(heads, action));
    }

    private static void forEach(Heads heads, Consumer<Heads.Place> action) {
        for (int i = 0; i < heads.size(); i++) {
            action.accept(heads.get(i));
        }
    }

    /** The first waiting task in order that needs this scope. */
    @Nullable
    Node front() {
        Heads.Place first = first();
        return first == null ? null : first.binding.head();
    }

    private Heads.@Nullable Place first() {
        Heads.Place first = watchers.first();
        Heads.Place bystander = bystanders.first();
        boolean isBystander = bystander != null && (first == null || bystander.binding.headBefore(first.binding));
        return isBystander ? bystander : first;
    }

    /**
     * The queue of the first task in order for which this scope lacks room by the limit alone. It may stand behind others
     * that would fit here and wait for another scope.
     */
    @Nullable
    Binding firstWithoutRoom() {
        if (largest == 0 || fits(largest)) {
            return null;
        }
        Heads.Place first = first();
        if (first != null && fits(first.amount)) {
            first = watchers.firstWithoutRoom(this);
            for (int i = 0; i < bystanders.size(); i++) {
                Heads.Place place = bystanders.get(i);
                if (!fits(place.amount) && (first == null || place.binding.headBefore(first.binding))) {
                    first = place;
                }
            }
        }
        return first == null ? null : first.binding;
    }

    /** Whether a waiting task before {@code node} needs more of this scope than is free. */
    boolean lacksRoomForOneBefore(Node node) {
        if (fits(largest)) {
            return false;
        }
        for (int i = 0; i < bystanders.size(); i++) {
            Heads.Place place = bystanders.get(i);
            if (!fits(place.amount) && place.binding.isBefore(node)) {
                return true;
            }
        }
        return watchers.lackRoomBefore(this, node);
    }

    /** The earliest queue that waits for this scope and for which it has room now. */
    @Nullable
    Binding candidate() {
        Binding first = open ? watchers.first(this) : null;
        Heads.Place place = frontWatchers.isEmpty() ? null : first();
        if (place != null
                && frontWatchers.contains(place.binding)
                && (first == null || place.binding.headBefore(first))) {
            return place.binding;
        }
        return first;
    }

    /** What a task that lacks {@code amount} here must watch. */
    List<Fitting.Blocker> shortOf(long amount) {
        if (usualShort.isEmpty() || usualShort.getFirst().amount() != amount) {
            usualShort = List.of(new Fitting.Blocker(this, amount));
        }
        return usualShort;
    }

    /** Why a task that lacks {@code amount} here waits. */
    WaitReason lacking(long amount) {
        return fits(amount) ? behindOthers : full;
    }

    boolean isIdle() {
        return active == 0 && waiting() == 0 && isEmpty() && !isWatched();
    }
}
