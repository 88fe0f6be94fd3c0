package dev.sluice.admission;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The pure ledger: state and rules, no thread, no I/O, no clock. Every engine and the simulator drive this class, so
 * the rules exist once.
 *
 * <p>Not thread-safe. Every operation takes the ledger time in nanoseconds, which must not run backwards; each begins
 * by removing what time has ended and finishes by admitting whoever may run. What it changed is read with
 * {@link #takeChanges} and can be written elsewhere, applied to another ledger ({@link #apply}) or undone
 * ({@link #undo}).
 */
public final class Ledger {
    private final Book book = new Book();
    private final Tally tally = new Tally();
    private final Fitting fitting = new Fitting();
    private final Forecast forecast = new Forecast(new Lines());
    private final Changes changes = new Changes();
    private final Deadlines deadlines = new Deadlines(book);
    private final QueueRules rules = new QueueRules(book, deadlines, new Refusals(forecast));
    private final Views views = new Views(book, forecast);
    private final Recorder recorder;
    private final Expiry expiry;
    private final Reconfiguration reconfiguration;
    private final PassedOver passedOver;
    private final Promotion promotion;
    private final Intake intake;

    /** @param isFirm whether a grant needs no {@link #confirm}; one to another process's waiter is provisional */
    public Ledger(Policies policies, Predicate<Ask> isFirm) {
        this(policies, isFirm, null);
    }

    /** @param witness of all changes, which then are not kept; null to keep them */
    Ledger(Policies policies, Predicate<Ask> isFirm, @Nullable Witness witness) {
        recorder = new Recorder(book, forecast, tally, witness == null ? changes : witness);
        expiry = new Expiry(book, deadlines, rules, recorder);
        reconfiguration = new Reconfiguration(book, deadlines, rules, recorder);
        Granting granting = new Granting(book, fitting, recorder, isFirm);
        passedOver = new PassedOver(book, isFirm);
        promotion = new Promotion(book, fitting, granting, passedOver);
        intake = new Intake(book, fitting, granting, rules, deadlines, new Refusals(forecast), recorder);
        configure(policies, 0);
    }

    /** @see Admission#submit */
    public Decision submit(Ask ask, long now) {
        advance(now);
        Decision decision = intake.submit(ask, now);
        promotion.run(now);
        return settled(ask, decision);
    }

    /** @see Admission#rebind */
    public Optional<Decision> rebind(Ask ask, long now) {
        advance(now);
        Optional<Decision> decision = intake.rebind(ask, now);
        promotion.run(now);
        return decision.map(made -> settled(ask, made));
    }

    /** @see Admission#failOver */
    public Decision failOver(Ask ask, long epoch, long now) {
        advance(now);
        Decision decision = intake.failOver(ask, epoch, now);
        promotion.run(now);
        return settled(ask, decision);
    }

    /** A task that was queued may have been admitted by the promotion that followed. */
    private Decision settled(Ask ask, Decision decision) {
        return switch (decision) {
            case Waiting any -> intake.current(ask.task());
            case Admitted admitted -> admitted;
            case Rejected rejected -> {
                tally.count(rejected.refusal());
                yield rejected;
            }
        };
    }

    /** @see Admission#confirm */
    public boolean confirm(UUID task, long epoch, long now) {
        advance(now);
        Node node = holding(task, epoch);
        Grant grant = node == null ? null : node.row.grant();
        if (node == null || grant == null) {
            return false;
        }
        if (grant.provisional()) {
            Grant firm = grant.confirmed(now + grant.ttl());
            recorder.change(node, node.row.with(firm), Change.Cause.CONFIRMED, now);
        }
        return true;
    }

    /** @see Admission#release */
    public boolean release(UUID task, long epoch, long now) {
        advance(now);
        Node node = holding(task, epoch);
        if (node == null) {
            return false;
        }
        recorder.release(node, Change.Cause.RELEASED, now);
        promotion.run(now);
        book.sweepIfGrown();
        return true;
    }

    /** @see Admission#renew(UUID, long) */
    public boolean renew(UUID task, long epoch, long now) {
        advance(now);
        Node node = holding(task, epoch);
        Grant grant = node == null ? null : node.row.grant();
        if (node == null || grant == null || grant.provisional()) {
            return false;
        }
        Grant later = grant.until(Math.max(grant.expiresAt(), now + grant.ttl()));
        recorder.change(node, node.row.with(later), Change.Cause.RENEWED, now);
        return true;
    }

    /** @see Admission#leaseLeft */
    public Duration leaseLeft(UUID task, long epoch, long now) {
        Node node = holding(task, epoch);
        Grant grant = node == null ? null : node.row.grant();
        return grant == null ? Duration.ZERO : Duration.ofNanos(Math.max(0, grant.expiresAt() - now));
    }

    /** @see Admission#renewWaiter */
    public boolean renewWaiter(UUID task, String waiter, long now) {
        advance(now);
        Node node = waitingUnder(task, waiter);
        if (node == null || node.row.detached()) {
            return false;
        }
        Row held = node.row.held(now + waiterLease(), false);
        recorder.change(node, held, Change.Cause.RENEWED, now);
        return true;
    }

    /** @see Admission#renewHolder */
    public void renewHolder(String holder, long now) {
        // First the heartbeat: whoever is heard from now must not lapse by the same instant.
        heard(holder, now + waiterLease());
        heardAll(now);
        advance(now);
    }

    /** By {@code now} every heartbeat was looked at: whoever was not {@link #heard} is late. */
    public void heardAll(long now) {
        book.holders.heardAll(now);
    }

    /** A heartbeat seen elsewhere. */
    public void heard(String holder, long until) {
        book.holders.heard(holder, until);
    }

    /** @see Admission#detach */
    public boolean detach(UUID task, String waiter, long now) {
        advance(now);
        Node node = waitingUnder(task, waiter);
        if (node == null || node.row.detached()) {
            return false;
        }
        recorder.change(node, node.row.held(now + waiterLease(), true), Change.Cause.DETACHED, now);
        promotion.run(now);
        return true;
    }

    /** @see Admission#cancel */
    public boolean cancel(UUID task, Eviction reason, long now) {
        advance(now);
        Node node = book.node(task);
        if (node == null) {
            return false;
        }
        if (node.row.waits()) {
            recorder.evict(node, reason, now);
        } else {
            recorder.release(node, Change.Cause.RELEASED, now);
        }
        promotion.run(now);
        return true;
    }

    /** @see Admission#evict */
    public boolean evict(UUID task, Eviction reason, long now) {
        advance(now);
        Node node = book.node(task);
        return node != null && node.row.waits() && cancel(task, reason, now);
    }

    /** @see Admission#handBack */
    public boolean handBack(UUID task, long epoch, long now) {
        advance(now);
        Node node = holding(task, epoch);
        if (node == null || node.row.ask().isSync()) {
            return false;
        }
        expiry.handedBack(node, now);
        promotion.run(now);
        return true;
    }

    /** @see Admission#changePriority */
    public boolean changePriority(UUID task, int priority, long now) {
        advance(now);
        Node node = book.node(task);
        if (node == null || !node.row.waits()) {
            return false;
        }
        if (node.priority != priority) {
            Row moved = node.row.asked(Intake.withPriority(node.row.ask(), priority));
            recorder.change(node, moved, Change.Cause.PRIORITISED, now);
            promotion.run(now);
        }
        return true;
    }

    /** @see Admission#configure */
    public void configure(Policies policies, long now) {
        advance(now);
        fitting.use(policies.queueing().ordering());
        reconfiguration.apply(policies, now);
        promotion.run(now);
    }

    /** @see Admission#providerUp */
    public void providerUp(String provider, boolean up, long now) {
        advance(now);
        ProviderSlots slots = book.provider(provider);
        slots.up = up;
        reconfiguration.providerChanged(slots, now);
        promotion.run(now);
    }

    /** @see Admission#operate */
    public void operate(String provider, ProviderState state, long now) {
        advance(now);
        ProviderSlots slots = book.provider(provider);
        slots.state = state;
        reconfiguration.providerChanged(slots, now);
        promotion.run(now);
    }

    /**
     * Takes over what an operator decided elsewhere, like {@link #apply} the rows that changed by it. Decides nothing: a
     * mirror that did would rest on a past which the next entry may belie. What follows from it here comes with the next
     * {@link #advance}.
     */
    public void follow(String provider, ProviderState state) {
        ProviderSlots slots = book.provider(provider);
        slots.state = state;
        reconfiguration.lookAgain(slots);
    }

    /** Does what is due by {@code now}: expiries, evictions, spills, and the promotions that follow. */
    public void advance(long now) {
        passedOver.giveBack(now);
        expiry.run(now);
        promotion.run(now);
    }

    /** The earliest instant at which {@link #advance} may have something to do; {@link Long#MAX_VALUE} for none. */
    public long nextEvent() {
        return book.agenda.next();
    }

    /** What changed since the last call, in order. */
    public List<Change> takeChanges() {
        return changes.take();
    }

    /** Takes over a change that another ledger decided. Promotes nobody: the other did that too. */
    public void apply(Change change, long now) {
        book.replace(change.before(), change.after(), now);
        book.rotation.follow(change.before(), change.after(), change.cause());
    }

    /**
     * Takes back decisions that could not be kept, newest first.
     *
     * @param before the totals before these decisions
     */
    public void undo(List<Change> changes, Totals before, long now) {
        tally.reset(before);
        for (Change change : changes.reversed()) {
            Change undone = change.undone();
            book.replace(undone.before(), undone.after(), now);
            book.rotation.unfollow(change);
        }
    }

    /** Draws no epoch below {@code least}: those of a ledger whose rows are gone must not come again. */
    public void epochsFrom(long least) {
        book.nextEpoch = Math.max(book.nextEpoch, least);
    }

    /** Goes on counting from {@code earlier}: a ledger that takes the place of another one. */
    public void countFrom(Totals earlier) {
        tally.reset(earlier);
    }

    /** @see Admission#snapshot */
    public Snapshot snapshot(long now) {
        return views.snapshot(now);
    }

    /** @see Admission#list */
    public List<TaskView> list(TaskFilter filter, long now) {
        return views.list(filter, now);
    }

    /** @see Admission#explain */
    public Optional<Explanation> explain(UUID task, long now) {
        return views.explain(task, now);
    }

    /** @see Admission#place */
    public Optional<Place> place(UUID task, long now) {
        return views.place(task, now);
    }

    /** @see Admission#totals */
    public Totals totals() {
        return tally.totals();
    }

    @Nullable
    Node node(UUID task) {
        return book.node(task);
    }

    List<Node> nodes() {
        return book.nodes.all();
    }

    /** The row of a task, for engines. */
    public Optional<Row> row(UUID task) {
        return Optional.ofNullable(book.node(task)).map(node -> node.row);
    }

    /** All rows, for engines; in no order. */
    public List<Row> rows() {
        return book.nodes.all().stream().map(node -> node.row).toList();
    }

    private @Nullable Node holding(UUID task, long epoch) {
        Node node = book.node(task);
        Grant grant = node == null ? null : node.row.grant();
        return grant != null && grant.epoch() == epoch ? node : null;
    }

    private @Nullable Node waitingUnder(UUID task, String waiter) {
        Node node = book.node(task);
        return node != null
                        && node.row.waits()
                        && node.row.ask().mode() instanceof Mode.Sync sync
                        && sync.waiter().equals(waiter)
                ? node
                : null;
    }

    private long waiterLease() {
        return book.policies.queueing().waiterLease().toNanos();
    }
}
