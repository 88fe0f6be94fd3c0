package dev.sluice.gateway.config;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a server listens: {@code host:port} or {@code [ipv6]:port}.
 *
 * @param host a host name or IP literal, IPv6 without brackets
 * @param port 0 to 65535; 0 takes any free port
 */
public record ListenAddress(String host, int port) {
    private static final Range<Integer> PORT = Range.of(0, 65_535);
    private static final Pattern SYNTAX =
            Pattern.compile("(?:\\[([0-9A-Fa-f:.]{2,45})]|([A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})?)):(\\d{1,5})");
    private static final Pattern LOOPBACK_V4 = Pattern.compile("127(?:\\.\\d{1,3}){3}");
    private static final Pattern LOOPBACK_V6 = Pattern.compile("(?:0{0,4}:){2,7}0{0,3}1");

    public ListenAddress {
        if (host.isBlank()) {
            throw new IllegalArgumentException("a listen address needs a host");
        }
        PORT.require("port", port);
    }

    /** Reads {@code 127.0.0.1:8080} or {@code [::1]:8080}; empty when the text is neither. */
    public static Optional<ListenAddress> parse(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String host = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
        int port = Integer.parseInt(matcher.group(3));
        return PORT.contains(port) ? Optional.of(new ListenAddress(host, port)) : Optional.empty();
    }

    /** Whether only this machine can connect; decided from the text alone, no name is resolved. */
    public boolean isLoopback() {
        return host.equalsIgnoreCase("localhost")
                || LOOPBACK_V4.matcher(host).matches()
                || LOOPBACK_V6.matcher(host).matches();
    }

    /** What to tell when nothing can listen here. */
    public IllegalStateException refused(Throwable cause) {
        return new IllegalStateException(
                this + ": " + cause.getMessage()
                        + "; end what listens there, or give another address by listen and admin.listen in the file or"
                        + " by --listen and --admin-listen",
                cause);
    }

    /**
     * Tries to listen at all of them for a moment, so that a start that must fail does so before it has made anything;
     * at the same time, since two servers of this process would share an address without a word.
     *
     * @throws IllegalStateException if that is impossible
     */
    public static void requireFree(List<ListenAddress> all) {
        if (all.isEmpty()) {
            return;
        }
        ListenAddress first = all.getFirst();
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(first.host, first.port));
            requireFree(all.subList(1, all.size()));
        } catch (IOException e) {
            throw first.refused(e);
        }
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
