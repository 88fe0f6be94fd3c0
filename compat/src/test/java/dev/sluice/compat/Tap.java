package dev.sluice.compat;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Stands between a client and the gateway, passes every byte on and keeps what it saw. */
final class Tap implements AutoCloseable {
    private static final Pattern REQUEST =
            Pattern.compile("POST /v1/(?:chat/completions|messages|responses) HTTP/1\\.1\r\n");

    private static final Pattern LINE = Pattern.compile("(?:GET|POST|DELETE) (/v1/\\S+) HTTP/1\\.1\r\n");

    private final ServerSocket server;
    private final int target;
    private final StringBuffer asked = new StringBuffer();
    private final StringBuffer answered = new StringBuffer();
    private final Queue<Socket> clients = new ConcurrentLinkedQueue<>();

    private Tap(ServerSocket server, int target) {
        this.server = server;
        this.target = target;
    }

    static Tap before(int port) throws IOException {
        var tap = new Tap(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
        Thread.ofVirtual().start(tap::accept);
        return tap;
    }

    int port() {
        return server.getLocalPort();
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/v1";
    }

    /** How many chat completions, messages or responses the client asked for. */
    long requests() {
        return REQUEST.matcher(asked).results().count();
    }

    /** What was asked for, in order. */
    Stream<String> paths() {
        return LINE.matcher(asked).results().map(line -> line.group(1));
    }

    /** For a client that adds the version itself. */
    String bareUrl() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    /** All that the gateway sent. */
    String answered() {
        return answered.toString();
    }

    /** Cuts every client off, as a network does. */
    void cut() {
        clients.forEach(Tap::reset);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                clients.add(client);
                var gateway = new Socket(InetAddress.getLoopbackAddress(), target);
                Thread.ofVirtual().start(() -> pass(client, gateway, asked));
                Thread.ofVirtual().start(() -> pass(gateway, client, answered));
            } catch (IOException e) {
                return; // closed: the test is over
            }
        }
    }

    private static void pass(Socket from, Socket to, StringBuffer seen) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[64 << 10];
            for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
                seen.append(new String(bytes, 0, length, ISO_8859_1));
                out.write(bytes, 0, length);
            }
            to.close();
            from.close();
        } catch (IOException e) {
            // A reset is passed on as a reset.
            reset(to);
            reset(from);
        }
    }

    private static void reset(Socket socket) {
        try (socket) {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // It is closed.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }
}
