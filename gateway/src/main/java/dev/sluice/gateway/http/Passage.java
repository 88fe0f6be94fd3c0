package dev.sluice.gateway.http;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Evicted;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.Held;
import dev.sluice.admission.Mode;
import dev.sluice.admission.Outcome;
import dev.sluice.admission.Placement;
import dev.sluice.admission.Refusal;
import dev.sluice.admission.Rejected;
import dev.sluice.admission.Routing;
import dev.sluice.admission.Turn;
import dev.sluice.gateway.upstream.Upstream;
import dev.sluice.gateway.upstream.UpstreamCall;
import dev.sluice.gateway.upstream.UpstreamFailure;
import dev.sluice.gateway.upstream.UpstreamListener;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * One task between the ledger and its upstream: asks, waits, runs on the granted provider, moves to another one when
 * that fails before its first byte, and releases exactly once. An upstream is closed before its slot is released.
 */
final class Passage implements UpstreamListener {
    private enum State {
        NEW,
        WAITING,
        OPENING,
        /** A retryable refusal of the upstream is kept in case no other provider takes the task. */
        SETTING_ASIDE,
        MOVING,
        ANSWERING,
        OVER
    }

    private final Lane lane;
    private final Admission admission;
    private final Caller client;
    private final Ask ask;
    private final Optional<String> idempotencyEntry;
    private final Tries tries;
    private State state = State.NEW;
    private @Nullable Admitted held;
    private @Nullable UpstreamCall call;
    private @Nullable SetAside aside;
    private @Nullable Problem moveProblem;
    private long progress;
    private final Tenure tenure = new Tenure();
    private boolean paused;

    Passage(Lane lane, Caller client, Ask ask, Optional<String> idempotencyEntry) {
        this.lane = lane;
        this.admission = lane.admission();
        this.client = client;
        this.ask = ask;
        this.idempotencyEntry = idempotencyEntry;
        this.tries = new Tries(routing().avoided());
    }

    void submit() {
        state = State.WAITING;
        listen(admission.submit(ask));
    }

    /** Goes on with what was granted before, on behalf of a task without a client. */
    void resume(Admitted granted) {
        state = State.WAITING;
        admitted(granted);
    }

    private void listen(Turn turn) {
        CompletableFuture<Outcome> outcome = turn.outcome().toCompletableFuture();
        if (outcome.state() == Future.State.SUCCESS) {
            outcome(outcome.resultNow());
        } else {
            lane.shared().telemetry().queued(routing().route(), 1);
            var _ = outcome.whenComplete((ended, outage) -> lane.run(() -> {
                lane.shared().telemetry().queued(routing().route(), -1);
                if (ended != null) {
                    outcome(ended);
                } else if (waits()) {
                    give(Refusals.unavailable());
                }
            }));
        }
    }

    boolean waits() {
        return state == State.WAITING || state == State.MOVING;
    }

    private void outcome(Outcome outcome) {
        switch (outcome) {
            case Admitted admitted -> admitted(admitted);
            case Rejected rejected -> {
                if (rejected.refusal().reason() != Refusal.Reason.IN_PROGRESS) {
                    forgetKey();
                }
                turnedDown(Refusals.problem(rejected.refusal()));
            }
            case Evicted evicted -> {
                lane.shared().telemetry().evicted(evicted);
                if (state == State.MOVING) {
                    held = null;
                }
                if (evicted.reason() != Eviction.SUPERSEDED) {
                    forgetKey();
                }
                turnedDown(Refusals.problem(evicted));
            }
        }
    }

    private void turnedDown(Problem problem) {
        if (state == State.MOVING) {
            fallBack(problem);
        } else if (state == State.WAITING) {
            state = State.OVER;
            client.refused(problem);
        }
    }

    private void admitted(Admitted admitted) {
        if (!waits()) {
            // It left before the grant arrived: whoever loses this race gives back what was granted.
            admission.release(admitted.task(), admitted.epoch());
            return;
        }
        held = admitted;
        if (!admitted.provisional()) {
            open(admitted);
            return;
        }
        admission
                .confirm(admitted.task(), admitted.epoch())
                .whenComplete((firm, outage) -> lane.run(() -> {
                    if (waits() && firm != null && firm) {
                        open(admitted);
                    } else if (waits()) {
                        // It lapsed and the task is back in its place: claim that again.
                        held = null;
                        submit();
                    }
                }));
    }

    private void open(Admitted admitted) {
        // The process may have been paused since the grant: then it must not start what it has no time to renew.
        if (!tenure.begin(admitted, admission.leaseLeft(admitted.task(), admitted.epoch()))) {
            give(Refusals.unavailable());
            return;
        }
        lane.shared().telemetry().admitted(admitted.waited());
        Placement placement = admitted.placement().orElseThrow();
        tries.add(placement.provider());
        Switchboard switchboard = lane.switchboard();
        Optional<Upstream> upstream = switchboard.upstream(placement.provider());
        Optional<String> name = switchboard
                .route(routing().route())
                .flatMap(route -> route.servedName(placement.platformModel().key()));
        if (upstream.isEmpty() || name.isEmpty()) {
            give(Refusals.providerRemoved());
            return;
        }
        state = State.OPENING;
        progress = System.nanoTime();
        paused = false;
        call = upstream.get().open(lane.outlet(), client.request(admitted, name.get()), this);
    }

    @Override
    public boolean mayBegin() {
        return tenure.isCertain();
    }

    private Routing routing() {
        return ask.routing().orElseThrow();
    }

    @Override
    public void head(int status, MultiMap headers) {
        progress = System.nanoTime();
        Optional<Problem> unusable = Problems.unusable(status);
        if (Tries.mayFollow(status) && client.untouched() && anotherProvider()) {
            state = State.SETTING_ASIDE;
            aside = new SetAside(status, headers);
        } else if (unusable.isPresent()) {
            give(unusable.get());
        } else {
            state = State.ANSWERING;
            client.head(status, headers);
        }
    }

    @Override
    public void chunk(Buffer bytes) {
        progress = System.nanoTime();
        if (state == State.SETTING_ASIDE && aside != null) {
            if (!aside.add(bytes)) {
                give(Problem.of(Fault.UPSTREAM_ERROR, "The upstream refused with status " + aside.status() + "."));
            }
            return;
        }
        client.chunk(bytes);
    }

    /** The client must read before more may come. */
    void holdBack() {
        if (!paused && call != null) {
            paused = true;
            progress = System.nanoTime();
            call.pause();
        }
    }

    /** The client has read. */
    void drained() {
        if (paused && call != null) {
            paused = false;
            progress = System.nanoTime();
            call.resume();
        }
    }

    @Override
    public void end() {
        call = null;
        if (state == State.SETTING_ASIDE) {
            move(Problem.of(Fault.UPSTREAM_ERROR, "The upstream refused."));
            return;
        }
        state = State.OVER;
        idempotencyEntry.ifPresent(entry -> lane.shared().idempotencyKeys().succeeded(entry, ask.task()));
        // Whoever has its answer may ask again at once: its own slot must be free by then.
        release();
        client.end();
    }

    @Override
    public void failed(UpstreamFailure failure) {
        call = null;
        if (failure.kind() == UpstreamFailure.Kind.CONNECT && held != null) {
            held.placement().ifPresent(at -> lane.shared().liveness().unreachable(lane, at.provider()));
        }
        Problem problem = Refusals.upstreamFailed(failure.detail());
        boolean again = state == State.SETTING_ASIDE || (state == State.OPENING && failure.retryable());
        if (again && client.untouched() && anotherProvider()) {
            move(problem);
        } else {
            give(problem);
        }
    }

    private boolean anotherProvider() {
        // An asynchronous task moves by another attempt: its next grant may be executed anywhere.
        return ask.isSync()
                && tries.anotherOf(lane.switchboard().route(routing().route()));
    }

    private void move(Problem otherwise) {
        Admitted old = held;
        if (old == null) {
            give(otherwise);
            return;
        }
        state = State.MOVING;
        moveProblem = otherwise;
        try {
            listen(admission.failOver(ask.on(routing().avoiding(tries.providers())), old.epoch()));
        } catch (RuntimeException bug) {
            fallBack(otherwise);
            throw bug;
        }
    }

    private void fallBack(Problem refusal) {
        SetAside kept = aside;
        aside = null;
        if (kept != null) {
            // It is the client's answer also where comments on the wait for the other provider have begun one.
            state = State.OVER;
            forgetKey();
            release();
            kept.giveTo(client);
        } else {
            give(moveProblem == null ? refusal : moveProblem);
        }
    }

    /** Gives the upstream up, if it has not ended, for a reason that is not its own. */
    void abandon(Problem problem) {
        if (state != State.OVER) {
            give(problem);
        }
    }

    /** Gives the upstream up and tells the client why. */
    private void give(Problem problem) {
        state = State.OVER;
        forgetKey();
        closeAndRelease();
        client.refused(problem);
    }

    private void closeAndRelease() {
        UpstreamCall open = call;
        call = null;
        if (open == null) {
            release();
        } else {
            open.cancel().onComplete(closed -> release());
        }
    }

    /** The client left: nothing of this task may go on. */
    void leave() {
        State was = state;
        state = State.OVER;
        switch (was) {
            case WAITING, MOVING -> {
                held = null;
                if (was == State.WAITING && idempotencyEntry.isPresent() && ask.mode() instanceof Mode.Sync sync) {
                    admission.detach(ask.task(), sync.waiter());
                } else {
                    forgetKey();
                    admission.cancel(ask.task(), Eviction.CANCELLED);
                }
            }
            case OPENING, SETTING_ASIDE, ANSWERING -> {
                forgetKey();
                closeAndRelease();
            }
            case NEW, OVER -> {}
        }
    }

    /** The process stops: what waits is told so, what runs goes on. */
    void drain() {
        if (waits()) {
            // Not cancel: that would release a grant which is on its way here and then runs.
            admission.evict(ask.task(), Eviction.SHUTTING_DOWN);
        }
    }

    /** Ends what runs, since the process stops now. */
    void cut() {
        abandon(Refusals.shuttingDown());
    }

    private void release() {
        Admitted owed = held;
        held = null;
        if (owed != null) {
            client.settle(admission, owed);
        }
    }

    private void forgetKey() {
        idempotencyEntry.ifPresent(entry -> lane.shared().idempotencyKeys().forget(entry, ask.task()));
    }

    void tick(long now) {
        if (state != State.OPENING && state != State.SETTING_ASIDE && state != State.ANSWERING) {
            return;
        }
        if (!tenure.isCertain()) {
            give(Refusals.leaseLost());
        } else if (paused) {
            if (now - progress > lane.patience().unread().toNanos()) {
                client.stalled();
            }
        } else if (now - progress > lane.idleNanos()) {
            give(Refusals.upstreamSilent(lane.idleNanos()));
        }
    }

    /** What must be renewed now, if anything. */
    Optional<Held> renewal(long now, long perTtl) {
        return held == null || call == null ? Optional.empty() : tenure.renewal(now, perTtl);
    }

    void renewed(Held lease, long asked) {
        tenure.renewed(lease, asked);
    }

    /** The ledger no longer counts this task as running: it must not go on. */
    void leaseLost(Held lease) {
        if (held != null && tenure.isOf(lease)) {
            held = null;
            give(Refusals.leaseLost());
        }
    }
}
