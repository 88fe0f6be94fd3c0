package dev.sluice.gateway.upstream;

import dev.sluice.gateway.config.Upstream.Anthropic;
import dev.sluice.gateway.config.Upstream.OpenAi;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.util.Set;
import java.util.function.Consumer;

/** A server that speaks one of the APIs over HTTP or HTTPS. */
public final class HttpUpstream implements Upstream {
    private static final CharSequence X_API_KEY = HttpHeaders.createOptimized("x-api-key");
    private static final CharSequence ANTHROPIC_VERSION = HttpHeaders.createOptimized("anthropic-version");
    private static final CharSequence ANTHROPIC_VERSION_DEFAULT = HttpHeaders.createOptimized("2023-06-01");

    private final Set<Protocol> protocols;
    private final String host;
    private final int port;
    private final boolean tls;
    private final String pathPrefix;
    private final Consumer<MultiMap> signing;

    public HttpUpstream(OpenAi settings) {
        this(
                Protocol.OPENAI,
                settings.baseUrl(),
                settings.apiKey()
                        .map(key -> HttpHeaders.createOptimized("Bearer " + key.reveal()))
                        .<Consumer<MultiMap>>map(value -> headers -> headers.set(HttpHeaders.AUTHORIZATION, value))
                        .orElse(headers -> {}));
    }

    public HttpUpstream(Anthropic settings) {
        this(
                Protocol.ANTHROPIC,
                settings.baseUrl(),
                settings.apiKey()
                        .map(key -> HttpHeaders.createOptimized(key.reveal()))
                        .<Consumer<MultiMap>>map(
                                value -> headers -> versioned(headers).set(X_API_KEY, value))
                        .orElse(HttpUpstream::versioned));
    }

    private HttpUpstream(Protocol protocol, URI base, Consumer<MultiMap> signing) {
        this.protocols = Set.of(protocol);
        this.tls = "https".equalsIgnoreCase(base.getScheme());
        String named = base.getHost();
        // A URI keeps the brackets of an IPv6 literal, a socket address does not.
        this.host = named.startsWith("[") ? named.substring(1, named.length() - 1) : named;
        this.port = base.getPort() >= 0 ? base.getPort() : tls ? 443 : 80;
        this.pathPrefix = base.getRawPath();
        this.signing = signing;
    }

    /** The server requires a version, and only Anthropic's own clients send one. */
    private static MultiMap versioned(MultiMap headers) {
        return headers.contains(ANTHROPIC_VERSION)
                ? headers
                : headers.set(ANTHROPIC_VERSION, ANTHROPIC_VERSION_DEFAULT);
    }

    @Override
    public Set<Protocol> protocols() {
        return protocols;
    }

    @Override
    public UpstreamCall open(Outlet outlet, UpstreamRequest request, UpstreamListener listener) {
        signing.accept(request.headers());
        var options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setHost(host)
                .setPort(port)
                .setSsl(tls)
                .setURI(pathPrefix + request.path())
                .setHeaders(request.headers());
        var call = new HttpCall(outlet, options, request.body(), listener);
        call.start();
        return call;
    }

    @Override
    public Future<Void> reachable(Outlet outlet) {
        return outlet.probe(host, port);
    }
}
