package dev.sluice.gateway.http;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.Mode;
import dev.sluice.gateway.http.IdempotencyKeys.Claim;
import dev.sluice.gateway.http.Screening.Screened;
import dev.sluice.gateway.telemetry.Outcomes.Outcome;
import dev.sluice.gateway.telemetry.Telemetry.StatusCounters;
import dev.sluice.gateway.upstream.HardClose;
import dev.sluice.gateway.upstream.UpstreamRequest;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One inference request from its head to the last byte of its answer, as its client sees it. All on one event loop; the
 * part between ledger and upstream is its {@link Passage}.
 */
final class Exchange implements Caller, Screening.Waiting {
    static final int CLIENT_LEFT = 499;

    private enum Phase {
        READING,
        CHECKING,
        PASSING,
        DELIVERING,
        OVER
    }

    private final Lane lane;
    private final Api api;
    private final StatusCounters counters;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final Answer answer;
    private final BodyReader body;
    private final long arrived = System.nanoTime();
    private UUID task;
    private Phase phase = Phase.READING;
    private String model = "";
    private String code = "";
    private long delivering;
    private @Nullable Tenant tenant;
    private Wishes wishes = Wishes.NONE;
    private @Nullable InferenceRequest inference;
    private @Nullable Route route;
    private @Nullable Passage passage;
    private @Nullable Admitted admitted;
    private long held;
    /** Index in the lane's list. */
    int place;

    Exchange(Lane lane, Api api, StatusCounters counters, HttpServerRequest request) {
        this.lane = lane;
        this.api = api;
        this.counters = counters;
        this.request = request;
        this.response = request.response();
        this.body = new BodyReader(lane.shared().bodies(), lane.bodyBytesMax());
        this.task = lane.shared().nextTask();
        this.answer = new Answer(lane, api, request, arrived, task);
    }

    HttpConnection connection() {
        return request.connection();
    }

    void start() {
        lane.add(this);
        // A disconnect or reset fires these, and only these; a normal end does not.
        response.closeHandler(closed -> departed());
        response.exceptionHandler(broken -> departed());
        request.exceptionHandler(broken -> departed());
        switch (Arrival.of(lane, request.headers())) {
            case Arrival.Refused(Problem problem) -> refused(problem);
            case Arrival.Welcome(Tenant caller, Wishes wished) -> {
                tenant = caller;
                wishes = wished;
                readOn();
            }
        }
    }

    private void readOn() {
        // HTTP/1.0 knows no interim answer.
        if (request.headers().contains(HttpHeaders.EXPECT) && request.version() != HttpVersion.HTTP_1_0) {
            response.writeContinue();
        }
        request.handler(this::piece);
        request.endHandler(end -> guarded(this::read));
    }

    private void piece(Buffer bytes) {
        if (phase != Phase.READING) {
            return;
        }
        switch (body.add(bytes)) {
            case TAKEN -> {}
            case TOO_LARGE -> refused(Problems.tooLarge(lane.bodyBytesMax()));
            case NO_MEMORY -> refused(Problems.buffersFull());
        }
    }

    boolean reads() {
        return phase == Phase.READING;
    }

    private void read() {
        if (phase == Phase.READING && tenant != null) {
            phase = Phase.CHECKING;
            new Screening(lane, api, tenant, wishes.async(), this).read(body.body());
        }
    }

    @Override
    public boolean waits() {
        return phase == Phase.CHECKING;
    }

    @Override
    public void names(String asked) {
        model = asked;
    }

    @Override
    public void passed(Screened screened) {
        Tenant caller = tenant;
        held = screened.recording().map(Recording::heldBytes).orElse(0L);
        if (caller == null || !body.becomes(held + screened.request().body().length)) {
            refused(Problems.buffersFull());
            return;
        }
        InferenceRequest valid = screened.request();
        inference = valid;
        route = screened.route();
        boolean waits = !wishes.async() && screened.background().isEmpty();
        int priority = caller.priority(
                wishes.priority(), waits, lane.switchboard().configuration().workers());
        answer.ranked(priority);
        screened.recording().ifPresent(answer::keptBy);
        if (!waits) {
            new Handover(lane, api, request.headers(), wishes, caller, task, priority)
                    .file(
                            screened,
                            filed -> guarded(() ->
                                    handedOver(filed, screened.background().isPresent())));
            return;
        }
        if (wishes.webhook().isPresent()) {
            refused(Problems.uselessWebhook());
            return;
        }
        Optional<String> key = wishes.idempotencyKey();
        switch (lane.shared().idempotencyKeys().claim(lane.sha256(), caller, key, api.path(), valid.body(), task)) {
            case Claim.Mismatch() -> refused(Problems.idempotencyMismatch());
            case Claim.Task(UUID named, Optional<String> entry) -> {
                isTask(named);
                var mode = new Mode.Sync(lane.nextWaiter(), lane.shared().holder());
                pass(
                        screened.route().ask(task, mode, caller, priority, wishes, screened.isLong(), screened.unfit()),
                        entry);
            }
        }
    }

    private void isTask(UUID named) {
        if (!named.equals(task)) {
            task = named;
            answer.to(named);
        }
    }

    /** @param entry of the idempotency key that stands for the task */
    private void pass(Ask ask, Optional<String> entry) {
        phase = Phase.PASSING;
        var passing = new Passage(lane, this, ask, entry);
        passage = passing;
        answer.from(passing);
        passing.submit();
    }

    private void handedOver(Handover.Outcome outcome, boolean background) {
        if (phase != Phase.CHECKING) {
            return;
        }
        switch (outcome) {
            case Handover.Outcome.Refused(Problem problem) -> refused(problem);
            case Handover.Outcome.Shown(UUID filed, Buffer json) -> {
                isTask(filed);
                deliver(answer.end(json, !background || wishes.async()), answer.status());
            }
            case Handover.Outcome.Followed(UUID filed, Chronicle chronicle) -> {
                isTask(filed);
                over(answer.status());
                new Follower(lane, request, chronicle).start();
            }
        }
    }

    @Override
    public void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException bug) {
            if (phase != Phase.OVER && phase != Phase.DELIVERING) {
                leave();
                refused(Problems.internal());
            }
            throw bug;
        }
    }

    @Override
    public UpstreamRequest request(Admitted granted, String servedName) {
        if (inference == null) {
            throw new IllegalStateException("the body was let go before an answer");
        }
        admitted = granted;
        answer.admitted(granted);
        lane.shared()
                .telemetry()
                .overhead(System.nanoTime() - arrived - granted.waited().toNanos());
        MultiMap headers = PassedHeaders.toUpstream(request.headers());
        Stamp.on(headers, task);
        return new UpstreamRequest(api.upstreamPath(), headers, inference.servedAs(servedName));
    }

    @Override
    public boolean untouched() {
        return answer.untouched();
    }

    @Override
    public void head(int status, MultiMap headers) {
        if (route != null) {
            lane.shared().telemetry().firstToken(route.model().id(), System.nanoTime() - arrived);
        }
        // From here on no other provider is asked: a long stream must not keep its prompt in memory.
        inference = null;
        body.becomes(held);
        answer.head(status, headers);
    }

    @Override
    public void chunk(Buffer bytes) {
        answer.chunk(bytes);
    }

    @Override
    public void end() {
        answer.whenPassed(() -> {
            if (phase == Phase.PASSING) {
                deliver(answer.end(), answer.status());
            }
        });
    }

    @Override
    public void refused(Problem problem) {
        if (phase == Phase.OVER || phase == Phase.DELIVERING) {
            return;
        }
        if (answer.isComplete()) {
            end();
            return;
        }
        inference = null;
        body.release();
        code = problem.fault().code();
        deliver(answer.refuse(problem), api.status(problem));
    }

    private void deliver(Future<Void> sent, int status) {
        phase = Phase.DELIVERING;
        delivering = lane.now();
        sent.onComplete(done -> over(status));
    }

    @Override
    public void stalled() {
        HardClose.of(connection());
        departed();
    }

    private void departed() {
        leave();
        over(CLIENT_LEFT);
    }

    private void leave() {
        Optional.ofNullable(passage).ifPresent(Passage::leave);
    }

    private void over(int status) {
        if (phase == Phase.OVER) {
            return;
        }
        phase = Phase.OVER;
        inference = null;
        body.release();
        answer.close();
        counters.ended(status);
        noted(status);
        lane.remove(this);
        if (lane.draining() && !response.closed()) {
            connection().close();
        }
    }

    private void noted(int status) {
        lane.shared()
                .telemetry()
                .outcomes()
                .note(Outcome.of(
                        task,
                        api.path(),
                        model,
                        tenant == null ? "" : tenant.group().id(),
                        status,
                        code,
                        Optional.ofNullable(admitted),
                        lane.shared().now()));
    }

    void tick(long now) {
        switch (phase) {
            case READING -> {
                if (now - arrived > lane.patience().body().toNanos()) {
                    refused(Problems.bodyTooSlow(lane.patience().body()));
                }
            }
            case PASSING -> {
                if (passage != null) {
                    if (inference != null && inference.stream() && passage.waits()) {
                        answer.comment(now);
                    }
                    passage.tick(now);
                }
            }
            case DELIVERING -> {
                if (now - delivering > lane.patience().unread().toNanos()) {
                    HardClose.of(connection());
                }
            }
            case CHECKING, OVER -> {}
        }
    }

    @Nullable
    Passage passage() {
        return passage;
    }

    /** The configuration changed: whoever may no longer ask would wait in vain. */
    void recheck() {
        if (route != null && passage != null && passage.waits() && !lane.mayAsk(request.headers(), route)) {
            lane.admission().evict(task, Eviction.OPERATOR);
        }
    }

    void drain() {
        if (phase == Phase.READING || phase == Phase.CHECKING) {
            refused(Refusals.shuttingDown());
        }
        Optional.ofNullable(passage).ifPresent(Passage::drain);
    }

    void cut() {
        Optional.ofNullable(passage).ifPresent(Passage::cut);
    }
}
