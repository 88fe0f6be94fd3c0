package dev.sluice.gateway.http;

import dev.sluice.admission.Admitted;
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
    private final AnswerWriter answer;
    private final BodyReader body;
    private final long arrived = System.nanoTime();
    private final QueueComments comments;
    private UUID task;
    private Phase phase = Phase.READING;
    private String model = "";
    private String code = "";
    private long delivering;
    private @Nullable Tenant tenant;
    private Wishes wishes = Wishes.NONE;
    private int priority;
    private @Nullable InferenceRequest inference;
    private @Nullable Route route;
    private @Nullable Passage passage;
    private @Nullable Admitted admitted;
    private @Nullable Recording recorded;
    private @Nullable Gate gate;
    private long held;
    /** Index in the lane's list. */
    int place;

    Exchange(Lane lane, Api api, StatusCounters counters, HttpServerRequest request) {
        this.lane = lane;
        this.api = api;
        this.counters = counters;
        this.request = request;
        this.response = request.response();
        this.answer = new AnswerWriter(response, api);
        this.body = new BodyReader(lane.shared().bodies(), lane.bodyBytesMax());
        this.comments = new QueueComments(lane, api, arrived);
        this.task = lane.shared().nextTask();
    }

    HttpConnection connection() {
        return request.connection();
    }

    void start() {
        lane.add(this);
        Stamp.on(response, task);
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
        priority = caller.priority(
                wishes.priority(), waits, lane.switchboard().configuration().workers());
        screened.recording().ifPresent(recording -> {
            answer.speak(recording.dialect());
            recorded = recording;
            gate = new Gate(lane, recording, this::relay);
        });
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
            case Claim.Task(UUID named, Optional<String> entry) -> pass(caller, screened, named, entry);
        }
    }

    /** @param entry of the idempotency key that stands for the task */
    private void pass(Tenant caller, Screened screened, UUID named, Optional<String> entry) {
        if (!named.equals(task)) {
            task = named;
            Stamp.on(response, task);
        }
        var mode = new Mode.Sync(lane.nextWaiter(), lane.shared().holder());
        var ask = screened.route().ask(task, mode, caller, priority, wishes, screened.isLong(), screened.unfit());
        phase = Phase.PASSING;
        var passing = new Passage(lane, this, ask, entry);
        passage = passing;
        passing.submit();
    }

    private void handedOver(Handover.Outcome outcome, boolean background) {
        if (phase != Phase.CHECKING) {
            return;
        }
        switch (outcome) {
            case Handover.Outcome.Refused(Problem problem) -> refused(problem);
            case Handover.Outcome.Shown(UUID accepted, Buffer json) -> {
                task = accepted;
                if (background && !wishes.async()) {
                    Stamp.on(response, task);
                    response.putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
                } else {
                    Stamp.accepted(response, task);
                }
                deliver(response.end(json), response.getStatusCode());
            }
            case Handover.Outcome.Followed(UUID accepted, Chronicle chronicle) -> {
                task = accepted;
                Stamp.on(response, task);
                over(response.getStatusCode());
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
        if (recorded != null) {
            recorded.head(status, AnswerWriter.isEventStream(headers));
        }
        if (answer.untouched()) {
            Stamp.on(response, task, priority, admitted);
        }
    }

    @Override
    public void chunk(Buffer bytes) {
        if (gate == null) {
            relay(bytes);
        } else {
            gate.chunk(bytes);
        }
    }

    private void relay(Buffer bytes) {
        if (phase != Phase.PASSING) {
            return;
        }
        if (answer.chunk(bytes)) {
            lane.flushSoon(this);
        }
        answer.restrain(passage);
    }

    /** Writes what came since the last flush. */
    void flush() {
        if (phase == Phase.PASSING) {
            answer.flush();
            answer.restrain(passage);
        }
    }

    @Override
    public void end() {
        if (gate == null) {
            ended();
        } else {
            gate.end(this::ended);
        }
    }

    private void ended() {
        if (phase == Phase.PASSING) {
            int status = response.getStatusCode();
            deliver(answer.end(), status);
        }
    }

    @Override
    public void refused(Problem problem) {
        if (phase == Phase.OVER || phase == Phase.DELIVERING) {
            return;
        }
        if (recorded != null && recorded.isComplete()) {
            end();
            return;
        }
        inference = null;
        body.release();
        code = problem.fault().code();
        Future<Void> sent;
        if (answer.untouched()) {
            answer.reset();
            Stamp.on(response, task);
            sent = ProblemReply.send(lane, request, api, problem);
        } else {
            sent = answer.fail(problem);
        }
        deliver(sent, api.status(problem));
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
                    comment(passage, now);
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

    private void comment(Passage waiting, long now) {
        if (inference == null || !inference.stream() || !waiting.waits() || response.writeQueueFull()) {
            return;
        }
        comments.due(now, task).ifPresent(comment -> {
            if (answer.untouched()) {
                Stamp.on(response, task, priority, admitted);
            }
            answer.comment(comment);
        });
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
