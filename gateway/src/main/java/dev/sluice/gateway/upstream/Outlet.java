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
import java.time.Duration;
import java.util.Map;
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
    private final Duration parting;
    private final Map<HttpConnection, Uses> uses = new WeakHashMap<>();

    private Outlet(Vertx vertx, Http http, Duration parting, ClientSSLOptions tls) {
        this.vertx = vertx;
        this.parting = parting;
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

    /**
     * Must be called on the event loop that will use it.
     *
     * @param parting how long an upstream may take to notice that a request was given up before it is reset
     */
    public static Outlet open(Vertx vertx, Http http, Duration parting) {
        return open(vertx, http, parting, tls());
    }

    /** The system's certificate authorities, and a certificate must be for the host's name. */
    static ClientSSLOptions tls() {
        return new ClientSSLOptions().setHostnameVerificationAlgorithm("HTTPS");
    }

    static Outlet open(Vertx vertx, Http http, Duration parting, ClientSSLOptions tls) {
        return new Outlet(vertx, http, parting, tls);
    }

    private void connected(HttpConnection connection) {
        uses.put(connection, new Uses());
        Parting.prepare(connection, parting);
        // What breaks a connection is told to the request on it; without a handler it would be logged as well.
        connection.exceptionHandler(broken -> {});
    }

    Vertx vertx() {
        return vertx;
    }

    HttpClient client() {
        return client;
    }

    Uses uses(HttpConnection connection) {
        return uses.computeIfAbsent(connection, unseen -> new Uses());
    }

    /**
     * How many requests a connection has carried. An answer that came whole frees its connection for the next request
     * even while we hold its last bytes back: only the latest request may end the connection.
     */
    static final class Uses {
        private int count;

        /** @return the number of this request on its connection, from 1 */
        int next() {
            return ++count;
        }

        boolean isLatest(int number) {
            return count == number;
        }
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
