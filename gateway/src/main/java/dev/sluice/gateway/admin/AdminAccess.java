package dev.sluice.gateway.admin;

import dev.sluice.gateway.config.Secret;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Who may use the admin plane: whoever shows the token; without a configured token anybody on this machine may read. A
 * browser that was lured here by a foreign name, and a request that a proxy passed on, do not count as this machine.
 */
final class AdminAccess {
    private static final String BEARER = "bearer ";
    private static final Pattern FORWARDED =
            Pattern.compile("(x-)?forwarded.*|via|x-real-ip|cf-connecting-ip|((x|true)-)?client-ip");
    private static final Pattern PORT = Pattern.compile("(:[0-9]*)?");
    private static final List<String> LOCAL_NAMES = List.of("localhost", "127.0.0.1", "[::1]");

    private AdminAccess() {}

    /** Why not: a message for the caller; empty when it may. */
    static Optional<String> refusal(HttpServerRequest request, Optional<Secret> token) {
        if (token.isPresent()) {
            return bearer(request.headers()).filter(token.get()::equals).isPresent()
                    ? Optional.empty()
                    : Optional.of("Send the admin token as 'Authorization: Bearer TOKEN'.");
        }
        boolean reads =
                request.method().equals(HttpMethod.GET) || request.method().equals(HttpMethod.HEAD);
        if (!reads) {
            return Optional.of("Without a configured admin.token this plane is for reading only.");
        }
        if (!fromLoopback(request) || !localName(request) || forwarded(request.headers())) {
            return Optional.of(
                    "Without a configured admin.token this plane answers only to this machine, under the name"
                            + " localhost, 127.0.0.1 or [::1], and not through a proxy.");
        }
        return Optional.empty();
    }

    private static Optional<Secret> bearer(MultiMap headers) {
        return Optional.ofNullable(headers.get(HttpHeaders.AUTHORIZATION))
                .filter(value -> value.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .map(value -> value.substring(BEARER.length()).strip())
                .filter(value -> !value.isEmpty())
                .map(Secret::new);
    }

    private static boolean fromLoopback(HttpServerRequest request) {
        String address = request.remoteAddress().hostAddress();
        try {
            return address != null && InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static boolean localName(HttpServerRequest request) {
        List<String> hosts = request.headers().getAll(HttpHeaders.HOST);
        // A name in the request line would count more than the header.
        if (hosts.size() != 1 || !request.uri().startsWith("/")) {
            return false;
        }
        String host = hosts.getFirst().toLowerCase(Locale.ROOT);
        return LOCAL_NAMES.stream()
                .anyMatch(name -> host.startsWith(name)
                        && PORT.matcher(host.substring(name.length())).matches());
    }

    private static boolean forwarded(MultiMap headers) {
        return headers.names().stream()
                .anyMatch(
                        name -> FORWARDED.matcher(name.toLowerCase(Locale.ROOT)).matches());
    }
}
