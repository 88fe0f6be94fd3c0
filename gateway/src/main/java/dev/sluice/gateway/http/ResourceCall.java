package dev.sluice.gateway.http;

import dev.sluice.gateway.config.Configuration;
import dev.sluice.gateway.config.Group;
import dev.sluice.gateway.upstream.HardClose;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request to a {@link Resource}: what was asked, and the way to answer it. All on one event loop. Whoever takes or
 * gives bytes piece by piece says with {@link #progress} that the client still does its part.
 */
public final class ResourceCall {
    private static final CharSequence APPLICATION_JSON = HttpHeaders.createOptimized("application/json");
    private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
    private static final long LOOK_MILLIS = 1_000;

    private final Lane lane;
    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final Dialect dialect;
    private final Tenant tenant;
    private final List<String> below;
    private final long timer;
    private String route;
    private long progress = System.nanoTime();
    private boolean over;
    private @Nullable Runnable onEnd;

    private ResourceCall(
            Lane lane, HttpServerRequest request, Dialect dialect, Tenant tenant, Resource resource, String path) {
        this.lane = lane;
        this.request = request;
        this.response = request.response();
        this.dialect = dialect;
        this.tenant = tenant;
        this.route = resource.path();
        this.below = segments(path.substring(resource.path().length()));
        lane.begin(request.connection());
        this.timer = lane.vertx().setPeriodic(LOOK_MILLIS, fired -> look());
        response.closeHandler(closed -> end());
        // It also hears of a body that cannot be read, which the request's handler answers; who has left is closed.
        response.exceptionHandler(broken -> {});
        request.exceptionHandler(broken -> end());
    }

    /** Gives the request to the resource, unless it can be refused before. */
    static void begin(Lane lane, HttpServerRequest request, Dialect dialect, Resource resource, String path) {
        Optional<Tenant> tenant = lane.switchboard().keyring().tenant(request.headers(), lane.sha256());
        if (tenant.isEmpty() || lane.draining()) {
            Problem problem = lane.draining() ? Refusals.shuttingDown() : Problems.unknownKey();
            lane.shared()
                    .telemetry()
                    .route(resource.path())
                    .ended(problem.fault().status());
            ProblemReply.send(lane, request, dialect, problem);
            return;
        }
        var call = new ResourceCall(lane, request, dialect, tenant.get(), resource, path);
        try {
            request.params();
        } catch (IllegalArgumentException e) {
            call.refuse(Problems.brokenQuery());
            return;
        }
        call.guarded(() -> resource.accept(call));
    }

    private static List<String> segments(String below) {
        List<String> segments = new ArrayList<>();
        for (String segment : below.split("/", -1)) {
            segments.add(PathDecoding.decode(segment));
        }
        // What stands before the first slash is empty.
        segments.removeFirst();
        return segments;
    }

    public HttpMethod method() {
        return request.method();
    }

    /** What follows the resource's own path, decoded: {@code [a, b]} for {@code /v1/files/a/b}. */
    public List<String> below() {
        return below;
    }

    public Optional<String> query(String name) {
        return Optional.ofNullable(request.params().get(name));
    }

    public MultiMap headers() {
        return request.headers();
    }

    public Group group() {
        return tenant.group();
    }

    /** The priority of what the caller does not wait for, by its header or the group's default. */
    public OptionalInt priority(int offset) {
        try {
            return OptionalInt.of(tenant.background(Wishes.of(request.headers()).priority(), offset));
        } catch (Wishes.BadHeader bad) {
            refuse(bad.problem());
            return OptionalInt.empty();
        }
    }

    /** The id of the webhook that the caller names for what he does not wait for. */
    public Optional<String> webhook() {
        return Optional.ofNullable(request.getHeader(Wishes.WEBHOOK));
    }

    /** Whether the group has the webhook that is named, if one is; refuses the call if not. */
    public boolean mayNameItsWebhook() {
        boolean unknown =
                webhook().isPresent() && webhook().flatMap(group()::webhook).isEmpty();
        if (unknown) {
            refuse(Problems.unknownWebhook(group().id()));
        }
        return !unknown;
    }

    public Configuration configuration() {
        return lane.switchboard().configuration();
    }

    /** Requests are counted under this name, which must not hold an id. */
    public void countAs(String name) {
        route = name;
    }

    /** For what is read or written piece by piece. */
    public HttpServerRequest request() {
        return request;
    }

    /** Called once, when the request is over, however it ended. */
    public void onEnd(Runnable then) {
        onEnd = then;
    }

    /** Whether nobody is there to be answered any more. */
    public boolean isOver() {
        return over;
    }

    /** The client did something just now, or what lasts is up to us. */
    public void progress() {
        progress = System.nanoTime();
    }

    private void look() {
        if (System.nanoTime() - progress > lane.patience().unread().toNanos()) {
            cut();
        }
    }

    /** Lets the client send its body, if it asked before. */
    public void expectBody() {
        if (request.headers().contains(HttpHeaders.EXPECT) && request.version() != HttpVersion.HTTP_1_0) {
            response.writeContinue();
        }
    }

    /** Reads a JSON body of at most so many bytes. */
    public void readJson(int bytesMax, Consumer<Buffer> then) {
        Optional<Problem> fault = RequestHead.fault(request.headers(), bytesMax);
        if (fault.isPresent()) {
            refuse(fault.get());
            return;
        }
        expectBody();
        Buffer body = Buffer.buffer();
        request.handler(piece -> {
            progress();
            body.appendBuffer(piece);
            if (body.length() > bytesMax) {
                refuse(Problems.tooLarge(bytesMax));
            }
        });
        request.endHandler(end -> guarded(() -> {
            if (!over) {
                then.accept(body);
            }
        }));
    }

    /** Does work that blocks on a thread of its own, then goes on here, unless the client has left by then. */
    public <T> void offLoop(Callable<T> work, Consumer<T> then) {
        Thread.ofVirtual().name("sluice-resource").start(() -> {
            try {
                T done = work.call();
                lane.run(() -> guarded(() -> {
                    if (!over) {
                        then.accept(done);
                    }
                }));
            } catch (SQLException away) {
                lane.run(() -> refuse(Refusals.unavailable()));
            } catch (Exception bug) {
                lane.run(() -> guarded(() -> {
                    throw new IllegalStateException("a request to " + route + " failed", bug);
                }));
            }
        });
    }

    /** Goes on after so many milliseconds, unless the request is over by then. */
    public void later(long millis, Runnable step) {
        lane.vertx().setTimer(millis, fired -> {
            if (!over) {
                guarded(step);
            }
        });
    }

    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException bug) {
            refuse(Problems.internal());
            throw bug;
        }
    }

    public void answer(Buffer json) {
        if (!over && !response.closed()) {
            response.putHeader(HttpHeaders.CONTENT_TYPE, APPLICATION_JSON)
                    .putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE)
                    .end(json);
            end();
        }
    }

    /** Ends an answer that cannot be completed, so that nobody takes it for the whole. */
    public void cut() {
        HardClose.of(request.connection());
        end();
    }

    /** A whole answer was written otherwise. */
    public void answered() {
        end();
    }

    public void refuse(Problem problem) {
        if (over) {
            return;
        }
        if (response.headWritten()) {
            cut();
        } else {
            ProblemReply.send(lane, request, dialect, problem);
            end();
        }
    }

    /** @param allowed for example {@code GET, DELETE} */
    public void refuseMethod(String allowed) {
        response.putHeader(HttpHeaders.ALLOW, allowed);
        refuse(Problems.methodNotAllowed(allowed));
    }

    private void end() {
        if (over) {
            return;
        }
        over = true;
        lane.vertx().cancelTimer(timer);
        lane.end(request.connection());
        boolean answered = response.ended() || response.headWritten();
        lane.shared().telemetry().route(route).ended(answered ? response.getStatusCode() : Exchange.CLIENT_LEFT);
        if (onEnd != null) {
            onEnd.run();
        }
    }
}
