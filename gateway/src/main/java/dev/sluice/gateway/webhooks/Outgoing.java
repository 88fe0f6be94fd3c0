package dev.sluice.gateway.webhooks;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.tracing.TracingPolicy;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;

/** Sends one message to an address that was looked up and checked before: no name is resolved here. */
final class Outgoing {
    private static final int CONNECTIONS_PER_TARGET = 8;
    private static final int KEEP_ALIVE_SECONDS = 10;
    private static final int HEAD_BYTES_MAX = 16 << 10;
    /** More of an answer is not read: only its status counts. */
    private static final int BODY_BYTES_MAX = 4 << 10;

    private final Vertx vertx;
    private final HttpClient client;
    private final Duration limit;

    Outgoing(Vertx vertx, Duration limit) {
        this(vertx, limit, new ClientSSLOptions().setHostnameVerificationAlgorithm("HTTPS"));
    }

    /** @param limit the longest that an attempt may take from the connection to the answer's end */
    Outgoing(Vertx vertx, Duration limit, ClientSSLOptions tls) {
        this.vertx = vertx;
        this.limit = limit;
        this.client = vertx.httpClientBuilder()
                .with(new HttpClientOptions()
                        .setConnectTimeout(Math.toIntExact(limit.toMillis()))
                        .setKeepAliveTimeout(KEEP_ALIVE_SECONDS)
                        .setMaxHeaderSize(HEAD_BYTES_MAX)
                        .setTracingPolicy(TracingPolicy.IGNORE))
                .with(tls)
                .with(new PoolOptions().setHttp1MaxSize(CONNECTIONS_PER_TARGET))
                // What breaks a connection is told to the request on it.
                .withConnectHandler(connection -> connection.exceptionHandler(broken -> {}))
                .build();
    }

    /** The status of the answer; redirects are not followed. Fails with {@link TimeoutException} or the connection's fault. */
    Future<Integer> post(URI url, InetAddress address, Map<String, String> headers, Buffer body) {
        boolean tls = "https".equals(url.getScheme());
        int port = url.getPort() >= 0 ? url.getPort() : tls ? 443 : 80;
        var options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setServer(SocketAddress.inetSocketAddress(port, address.getHostAddress()))
                .setHost(url.getHost())
                .setPort(port)
                .setSsl(tls)
                .setURI(path(url))
                .setFollowRedirects(false);
        headers.forEach(options::putHeader);
        var posting = new Posting();
        long timer = vertx.setTimer(limit.toMillis(), late -> posting.late());
        posting.status.future().onComplete(done -> vertx.cancelTimer(timer));
        client.request(options)
                .onSuccess(request -> posting.send(request, body))
                .onFailure(posting.status::tryFail);
        return posting.status.future();
    }

    private static String path(URI url) {
        String path = Objects.requireNonNullElse(url.getRawPath(), "");
        return (path.isEmpty() ? "/" : path) + (url.getRawQuery() == null ? "" : '?' + url.getRawQuery());
    }

    /** One message on its way; its handlers run on one event loop, its time limit may run on another. */
    private static final class Posting {
        private final Promise<Integer> status = Promise.promise();
        private volatile int answered;
        private volatile boolean whole;
        private int bytes;

        void send(HttpClientRequest request, Buffer body) {
            if (status.future().isComplete()) {
                request.reset();
                return;
            }
            request.exceptionHandler(this::broken);
            request.response().onSuccess(response -> read(request, response)).onFailure(this::broken);
            // Whatever is still open when the status counts is cut, which frees the connection.
            status.future().onFailure(failed -> request.reset());
            request.end(body);
        }

        private void read(HttpClientRequest request, HttpClientResponse response) {
            answered = response.statusCode();
            response.handler(piece -> {
                bytes += piece.length();
                if (bytes > BODY_BYTES_MAX) {
                    status.tryComplete(answered);
                }
            });
            response.exceptionHandler(this::broken);
            response.endHandler(end -> {
                whole = true;
                status.tryComplete(answered);
            });
            status.future().onSuccess(done -> {
                if (!whole) {
                    request.reset();
                }
            });
        }

        /** Who has answered and then breaks off, or goes on too long, has answered. */
        private void broken(Throwable cause) {
            if (answered == 0) {
                status.tryFail(cause);
            } else {
                status.tryComplete(answered);
            }
        }

        void late() {
            broken(new TimeoutException());
        }
    }

    void close() {
        client.close();
    }
}
