package dev.sluice.gateway.upstream;

import dev.sluice.gateway.config.Upstream.OpenAi;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.util.Optional;

/** A server that speaks the OpenAI API over HTTP or HTTPS. */
public final class HttpUpstream implements Upstream {
    private final String host;
    private final int port;
    private final boolean tls;
    private final String pathPrefix;
    private final Optional<CharSequence> authorization;

    public HttpUpstream(OpenAi settings) {
        URI base = settings.baseUrl();
        this.tls = "https".equalsIgnoreCase(base.getScheme());
        String named = base.getHost();
        // A URI keeps the brackets of an IPv6 literal, a socket address does not.
        this.host = named.startsWith("[") ? named.substring(1, named.length() - 1) : named;
        this.port = base.getPort() >= 0 ? base.getPort() : tls ? 443 : 80;
        this.pathPrefix = base.getRawPath();
        this.authorization = settings.apiKey().map(key -> HttpHeaders.createOptimized("Bearer " + key.reveal()));
    }

    @Override
    public UpstreamCall open(Outlet outlet, UpstreamRequest request, UpstreamListener listener) {
        authorization.ifPresent(value -> request.headers().set(HttpHeaders.AUTHORIZATION, value));
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
