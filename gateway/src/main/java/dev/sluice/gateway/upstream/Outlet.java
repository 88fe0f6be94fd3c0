package dev.sluice.gateway.upstream;

import dev.sluice.gateway.config.Http;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.tracing.TracingPolicy;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The outgoing side of one event loop. Each loop has its own pool, so that an answer is read on the loop that writes it
 * to the client and no chunk changes threads.
 */
public final class Outlet {
    // The ledger bounds what runs at once; the pool must never be a second, invisible queue.
    private static final int CONNECTIONS_MAX = 1 << 16;
    private static final int ANSWER_HEAD_BYTES_MAX = 32 << 10;
    private static final int STATUS_LINE_BYTES_MAX = 4 << 10;
    private static final int KEEP_ALIVE_SECONDS = 30;

    private final Vertx vertx;
    private final HttpClient client;
    private final NetClient probes;
    private final Set<HttpConnection> unused = Collections.newSetFromMap(new WeakHashMap<>());

    private Outlet(Vertx vertx, Http http, ClientSSLOptions tls) {
        this.vertx = vertx;
        var options = new HttpClientOptions()
                .setConnectTimeout(Math.toIntExact(http.connectTimeout().toMillis()))
                .setKeepAliveTimeout(KEEP_ALIVE_SECONDS)
                .setMaxHeaderSize(ANSWER_HEAD_BYTES_MAX)
                .setMaxInitialLineLength(STATUS_LINE_BYTES_MAX)
                .setTcpNoDelay(true)
                .setTracingPolicy(TracingPolicy.IGNORE);
        this.probes = vertx.createNetClient(new NetClientOptions().setConnectTimeout(options.getConnectTimeout()));
        this.client = vertx.httpClientBuilder()
                .with(options)
                .with(tls)
                .with(new PoolOptions().setHttp1MaxSize(CONNECTIONS_MAX))
                .withConnectHandler(this::connected)
                .build();
    }

    /** Must be called on the event loop that will use it. */
    public static Outlet open(Vertx vertx, Http http) {
        return open(vertx, http, tls());
    }

    /** The system's certificate authorities, and a certificate must be for the host's name. */
    static ClientSSLOptions tls() {
        return new ClientSSLOptions().setHostnameVerificationAlgorithm("HTTPS");
    }

    static Outlet open(Vertx vertx, Http http, ClientSSLOptions tls) {
        return new Outlet(vertx, http, tls);
    }

    private void connected(HttpConnection connection) {
        unused.add(connection);
        // What breaks a connection is told to the request on it; without a handler it would be logged as well.
        connection.exceptionHandler(broken -> {});
    }

    Vertx vertx() {
        return vertx;
    }

    HttpClient client() {
        return client;
    }

    /** Whether the connection carried a request before: the server may have closed it while ours was on its way. */
    boolean reuses(HttpConnection connection) {
        return !unused.remove(connection);
    }

    /** Succeeds when {@code host} accepts a connection. */
    Future<Void> probe(String host, int port) {
        return probes.connect(port, host).compose(NetSocket::close);
    }

    public void close() {
        client.close();
        probes.close();
    }
}
