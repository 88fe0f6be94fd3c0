package dev.sluice.gateway.http;

import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Which headers pass through: a short list towards the upstream, all but a few towards the client. */
final class PassedHeaders {
    // Never credentials, cookies, forwarded or x-sluice-*. Accept-encoding stays here too: an event that we add to a
    // stream must not land in a compressed one.
    private static final Set<CharSequence> TO_UPSTREAM = Set.of(
            HttpHeaders.CONTENT_TYPE,
            HttpHeaders.ACCEPT,
            HttpHeaders.USER_AGENT,
            HttpHeaders.createOptimized("openai-beta"),
            HttpHeaders.createOptimized("anthropic-version"),
            HttpHeaders.createOptimized("anthropic-beta"),
            HttpHeaders.createOptimized("traceparent"),
            HttpHeaders.createOptimized("tracestate"));

    private static final Set<String> NOT_TO_CLIENT = Set.of(
            "connection",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "set-cookie",
            "set-cookie2",
            "alt-svc",
            "x-request-id");

    private PassedHeaders() {}

    static MultiMap toUpstream(MultiMap client) {
        MultiMap passed = HttpHeaders.headers();
        for (CharSequence name : TO_UPSTREAM) {
            String value = client.get(name);
            if (value != null) {
                passed.add(name, value);
            }
        }
        return passed;
    }

    static void toClient(MultiMap upstream, MultiMap client) {
        String named = upstream.get(HttpHeaders.CONNECTION);
        for (Map.Entry<String, String> header : upstream) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            boolean dropped = NOT_TO_CLIENT.contains(name)
                    || name.startsWith("x-ratelimit-")
                    || name.startsWith("anthropic-ratelimit-")
                    || name.startsWith("x-sluice-")
                    || (named != null && lists(named, name));
            if (!dropped) {
                client.add(name, header.getValue());
            }
        }
    }

    /** Headers named in {@code Connection} belong to that connection only. */
    private static boolean lists(String connection, String name) {
        for (String token : connection.split(",")) {
            if (token.strip().equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }
}
