package dev.sluice.gateway.upstream;

import dev.sluice.gateway.config.Upstream.Simulated;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;

/**
 * The simulated model as a real HTTP server on the loopback interface, for load tests and benchmarks: it counts how
 * many requests run at any instant, in all and for each API key.
 */
public final class SimulatedServer implements AutoCloseable {
    private final SimulatedUpstream model;
    private final Vertx vertx;
    private final RunningCount count = new RunningCount();
    private volatile int port;

    private SimulatedServer(Simulated settings) {
        this.vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        this.model = new SimulatedUpstream(settings, InstantSource.system());
    }

    /** Listens on a free port of 127.0.0.1, with one event loop so that its counts have one order. */
    public static SimulatedServer start(Simulated settings) {
        return start(settings, 0);
    }

    public static SimulatedServer start(Simulated settings, int port) {
        var server = new SimulatedServer(settings);
        server.vertx.deployVerticle(new Listening(server, port)).await();
        return server;
    }

    /** For the base URL of a provider, without a trailing slash. */
    public String baseUrl() {
        return "http://127.0.0.1:" + port + "/v1";
    }

    public RunningCount count() {
        return count;
    }

    @Override
    public void close() {
        vertx.close().await();
    }

    private static final class Listening extends AbstractVerticle {
        private final SimulatedServer owner;
        private final int wanted;

        Listening(SimulatedServer owner, int wanted) {
            this.owner = owner;
            this.wanted = wanted;
        }

        @Override
        public void start(Promise<Void> started) {
            Future<HttpServer> listening = vertx.createHttpServer(new HttpServerOptions().setTcpNoDelay(true))
                    .requestHandler(owner::serve)
                    .listen(wanted, "127.0.0.1");
            listening
                    .onSuccess(server -> owner.port = server.actualPort())
                    .<Void>mapEmpty()
                    .onComplete(started);
        }
    }

    private void serve(HttpServerRequest request) {
        String key = Optional.ofNullable(request.getHeader(HttpHeaders.AUTHORIZATION))
                .or(() -> Optional.ofNullable(request.getHeader("x-api-key")))
                .orElse("none")
                .replaceFirst("^Bearer ", "");
        var answer = new Answer(request.response(), key);
        count.started(key);
        request.response().closeHandler(closed -> answer.left());
        request.body().onSuccess(body -> answer.open(request, body));
    }

    private final class Answer implements UpstreamListener {
        private final HttpServerResponse response;
        private final String key;
        private boolean over;
        private Optional<UpstreamCall> call = Optional.empty();

        Answer(HttpServerResponse response, String key) {
            this.response = response;
            this.key = key;
        }

        void open(HttpServerRequest request, Buffer body) {
            if (!over) {
                var forwarded = new UpstreamRequest(
                        Objects.requireNonNullElse(request.path(), "/"), MultiMap.caseInsensitiveMultiMap(), body);
                call = Optional.of(model.open(vertx, forwarded, this));
            }
        }

        void left() {
            call.ifPresent(UpstreamCall::cancel);
            if (finish()) {
                count.abandoned(key);
            }
        }

        private boolean finish() {
            if (over) {
                return false;
            }
            over = true;
            count.ended(key);
            return true;
        }

        @Override
        public void head(int status, MultiMap headers) {
            response.setStatusCode(status);
            response.headers().setAll(headers);
            response.setChunked(!headers.contains(HttpHeaders.CONTENT_LENGTH));
        }

        @Override
        public void chunk(Buffer bytes) {
            response.write(bytes);
            if (response.writeQueueFull()) {
                call.ifPresent(UpstreamCall::pause);
                response.drainHandler(drained -> call.ifPresent(UpstreamCall::resume));
            }
        }

        @Override
        public void end() {
            // Before the last byte leaves: whoever reads it may send the next request at once.
            if (finish()) {
                response.end();
            }
        }

        @Override
        public void failed(UpstreamFailure failure) {
            if (finish()) {
                response.reset();
            }
        }
    }
}
