package dev.sluice.gateway.http;

import dev.sluice.gateway.config.Http;
import dev.sluice.gateway.config.ListenAddress;
import dev.sluice.gateway.telemetry.Telemetry.StatusCounters;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.tracing.TracingPolicy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The server that clients talk to, on one event loop; several share one port. */
public final class DataPlane extends VerticleBase {
    // To Vert.x, port 0 is a port of one server alone.
    private static final int ANY_PORT_SHARED = -1;
    private static final int LINE_BYTES_MAX = 8 << 10;
    private static final CharSequence APPLICATION_JSON = HttpHeaders.createOptimized("application/json");

    private record Endpoint(Api api, StatusCounters counters) {}

    private final Shared shared;
    private final Dialect dialect;
    private final ListenAddress address;
    private final Map<String, Endpoint> endpoints = new HashMap<>();
    private final StatusCounters others;
    private final TaskRequests tasks;
    private final ModelRequests models;
    private final List<Resource> resources;
    private final List<ResponseRequests> responses;
    private @Nullable Lane lane;
    private @Nullable HttpServer server;

    /**
     * @param catalogues the first that is meant lists the models; the last is meant by everybody
     * @param dialect of answers that belong to no API, such as an unknown path
     */
    public DataPlane(
            Shared shared,
            List<Api> apis,
            List<Resource> resources,
            List<Catalogue> catalogues,
            Dialect dialect,
            ListenAddress address) {
        this.shared = shared;
        this.resources = List.copyOf(resources);
        this.dialect = dialect;
        this.address = address;
        for (Api api : apis) {
            endpoints.put(api.path(), new Endpoint(api, shared.telemetry().route(api.path())));
        }
        this.tasks = new TaskRequests(dialect);
        this.responses = apis.stream()
                .flatMap(api -> api.kept().stream().map(kept -> new ResponseRequests(shared, api, kept)))
                .toList();
        this.others = shared.telemetry().route("other");
        this.models = new ModelRequests(catalogues, others);
    }

    @Override
    public Future<?> start() {
        Lane own = new Lane(vertx, context, shared);
        lane = own;
        return vertx.createHttpServer(
                        options(shared.switchboard().configuration().http()))
                .connectionHandler(own::opened)
                .requestHandler(request -> guarded(own, request))
                .invalidRequestHandler(request -> invalid(request))
                .listen(address.port() == 0 ? ANY_PORT_SHARED : address.port(), address.host())
                .recover(cause -> Future.failedFuture(address.refused(cause)))
                .onSuccess(listening -> server = listening);
    }

    private static HttpServerOptions options(Http http) {
        return new HttpServerOptions()
                .setMaxHeaderSize(http.maxHeaderBytes())
                .setMaxInitialLineLength(LINE_BYTES_MAX)
                // Clear-text HTTP/2 would hide a connection from us until its first bytes came.
                .setHttp2ClearTextEnabled(false)
                .setCompressionSupported(false)
                .setDecompressionSupported(false)
                .setTcpNoDelay(true)
                .setTracingPolicy(TracingPolicy.IGNORE)
                .setAcceptBacklog(4096);
    }

    /** The port in use, once started. */
    public int port() {
        HttpServer listening = server;
        return listening == null ? address.port() : listening.actualPort();
    }

    /** Looks again at whoever waits: the configuration has changed. */
    public void recheck() {
        Lane own = lane;
        if (own != null) {
            own.run(own::recheck);
        }
    }

    /** Refuses what waits; what runs goes on. */
    public void drain() {
        Lane own = lane;
        if (own != null) {
            own.run(own::drain);
        }
    }

    /** Ends what still runs. */
    public void cut() {
        Lane own = lane;
        if (own != null) {
            own.run(own::cut);
        }
    }

    /** Takes no connection any more; those that are there go on. */
    public void stopListening() {
        Lane own = lane;
        if (own != null) {
            own.run(own::stopListening);
        }
    }

    /** Connections that may still bring a request, or wait for an answer. */
    public Future<Integer> lively() {
        return count(Lane::lively);
    }

    /** Exchanges in progress. */
    public Future<Integer> running() {
        return count(Lane::running);
    }

    /** Executes a task on this loop; safe on any thread, once the server listens. */
    public Errand execute(Assignment assignment) {
        Lane own = lane;
        if (own == null) {
            throw new IllegalStateException("the data plane is not started");
        }
        var errand = new Errand(own, assignment);
        own.run(errand::begin);
        return errand;
    }

    /** Connections of clients. */
    public Future<Integer> openConnections() {
        return count(Lane::openConnections);
    }

    private Future<Integer> count(ToIntFunction<Lane> what) {
        Lane own = lane;
        if (own == null) {
            return Future.succeededFuture(0);
        }
        var counted = Promise.<Integer>promise();
        own.run(() -> counted.complete(what.applyAsInt(own)));
        return counted.future();
    }

    @Override
    public Future<?> stop() {
        Lane own = lane;
        if (own != null) {
            own.close();
        }
        return server == null ? Future.succeededFuture() : server.close();
    }

    /** Whatever fails here, its client has an answer. */
    private void guarded(Lane own, HttpServerRequest request) {
        try {
            accept(own, request);
        } catch (RuntimeException bug) {
            refuse(own, request, dialect, Problems.internal());
            throw bug;
        }
    }

    private void accept(Lane own, HttpServerRequest request) {
        Endpoint endpoint = endpoints.get(request.path());
        own.used(request.connection());
        Optional<Problem> ambiguity = RequestHead.ambiguity(request.headers());
        if (ambiguity.isPresent()) {
            ambiguous(own, request, endpoint == null ? speaker(request.path()) : endpoint.api, ambiguity.get());
        } else if (endpoint == null) {
            other(own, request);
        } else if (request.method().equals(HttpMethod.POST)) {
            new Exchange(own, endpoint.api, endpoint.counters, request).start();
        } else {
            request.response().putHeader(HttpHeaders.ALLOW, "POST");
            refuse(own, request, endpoint.api, Problems.methodNotAllowed("POST"));
        }
    }

    /** What follows on the connection may be no request. */
    private void ambiguous(Lane own, HttpServerRequest request, Dialect speaker, Problem problem) {
        boolean isRead = request.isEnded();
        request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        others.ended(speaker.status(problem));
        Future<Void> sent = ProblemReply.send(own, request, speaker, problem);
        if (isRead) {
            sent.onComplete(done -> request.connection().close());
        }
    }

    private void other(Lane own, HttpServerRequest request) {
        String path = Optional.ofNullable(request.path()).orElse("");
        if (path.startsWith(TaskRequests.PATH)) {
            tasks.accept(own, request, path);
            return;
        }
        if (models.concerns(path)) {
            models.accept(own, request, path);
            return;
        }
        Optional<Resource> resource = resource(path);
        if (resource.isPresent()) {
            ResourceCall.begin(own, request, dialect, resource.get(), path);
            return;
        }
        for (ResponseRequests kept : responses) {
            if (kept.concerns(path)) {
                kept.accept(own, request, path);
                return;
            }
        }
        if (!path.equals("/livez") && !path.equals("/readyz")) {
            refuse(own, request, speaker(path), Problem.of(Fault.NOT_FOUND, "There is nothing at this path."));
        } else if (!request.method().equals(HttpMethod.GET)) {
            request.response().putHeader(HttpHeaders.ALLOW, "GET");
            refuse(own, request, dialect, Problems.methodNotAllowed("GET"));
        } else if (path.equals("/livez")) {
            answer(request, "ok\n");
        } else {
            ready(request);
        }
    }

    private Optional<Resource> resource(String path) {
        for (Resource resource : resources) {
            if (path.startsWith(resource.path())
                    && (path.length() == resource.path().length()
                            || path.charAt(resource.path().length()) == '/')) {
                return Optional.of(resource);
            }
        }
        return Optional.empty();
    }

    /** Below the path of an endpoint its dialect, else that of answers that belong to none. */
    private Dialect speaker(@Nullable String path) {
        if (path == null) {
            return dialect;
        }
        for (String known : endpoints.keySet()) {
            if (path.startsWith(known + "/")) {
                return endpoints.get(known).api;
            }
        }
        return dialect;
    }

    private void ready(HttpServerRequest request) {
        if (shared.draining()) {
            request.response().setStatusCode(503);
            answer(request, "draining\n");
        } else if (!shared.available()) {
            request.response().setStatusCode(503);
            answer(request, "the ledger's database is away\n");
        } else {
            answer(request, "ready\n");
        }
    }

    private void refuse(Lane own, HttpServerRequest request, Dialect speaker, Problem problem) {
        others.ended(speaker.status(problem));
        ProblemReply.send(own, request, speaker, problem);
    }

    private void answer(HttpServerRequest request, String text) {
        others.ended(request.response().getStatusCode());
        request.response().putHeader(HttpHeaders.CONTENT_TYPE, "text/plain").end(text);
    }

    /** What the decoder could not read as a request. */
    private void invalid(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        boolean tooLong = cause instanceof TooLongHttpHeaderException || cause instanceof TooLongHttpLineException;
        Problem problem = tooLong
                ? Problem.of(
                        Fault.HEADERS_TOO_LARGE,
                        "The request line or the headers are larger than this gateway takes. Send shorter ones.")
                : Problem.of(Fault.INVALID_REQUEST, "This is not a valid HTTP request.");
        others.ended(problem.fault().status());
        request.response()
                .setStatusCode(problem.fault().status())
                .putHeader(HttpHeaders.CONTENT_TYPE, APPLICATION_JSON)
                .putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE)
                .end(dialect.body(problem, ""))
                .onComplete(sent -> request.connection().close());
    }
}
