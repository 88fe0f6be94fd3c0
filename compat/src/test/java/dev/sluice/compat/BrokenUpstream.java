package dev.sluice.compat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** An upstream that takes connections and resets each when a request comes. */
final class BrokenUpstream implements AutoCloseable {
    private final ServerSocket server;

    private BrokenUpstream(ServerSocket server) {
        this.server = server;
    }

    static BrokenUpstream start() throws IOException {
        var upstream = new BrokenUpstream(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        Thread.ofVirtual().start(upstream::accept);
        return upstream;
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/v1";
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> reset(socket));
            } catch (IOException e) {
                return; // closed: the test is over
            }
        }
    }

    private static void reset(Socket socket) {
        try (socket) {
            socket.getInputStream().read();
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // The gateway closed it first.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
