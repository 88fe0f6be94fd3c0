package dev.sluice.postgres.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of the loopback address. */
final class Ports {
    private Ports() {}

    /** One that was free a moment ago. */
    static int free() {
        try (var socket = listening(0)) {
            return socket.getLocalPort();
        } catch (IOException none) {
            throw new UncheckedIOException(none);
        }
    }

    static boolean isFree(int port) {
        try (var socket = listening(port)) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    private static ServerSocket listening(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.ofLiteral("127.0.0.1"));
    }
}
