package dev.sluice.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An upstream that does exactly what a test says, byte by byte, and counts what it sees. */
public final class RawUpstream implements AutoCloseable {
    /** What to do with one request. */
    @FunctionalInterface
    public interface Script {
        void answer(Call call) throws IOException, InterruptedException;
    }

    /** One request on a connection. */
    public static final class Call {
        private final Socket socket;
        private final String head;
        private final String body;

        Call(Socket socket, String head, String body) {
            this.socket = socket;
            this.head = head;
            this.body = body;
        }

        public String head() {
            return head;
        }

        public String body() {
            return body;
        }

        public void write(String bytes) throws IOException {
            OutputStream out = socket.getOutputStream();
            out.write(bytes.getBytes(UTF_8));
            out.flush();
        }

        public void json(int status, String json) throws IOException {
            write("HTTP/1.1 " + status + " Said\r\ncontent-type: application/json\r\ncontent-length: "
                    + json.getBytes(UTF_8).length + "\r\n\r\n" + json);
        }

        public void streamHead() throws IOException {
            write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n");
        }

        public void chunk(String data) throws IOException {
            write(Integer.toHexString(data.getBytes(UTF_8).length) + "\r\n" + data + "\r\n");
        }

        public void lastChunk() throws IOException {
            write("0\r\n\r\n");
        }

        public void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        public void close() throws IOException {
            socket.close();
        }

        /** Whether the gateway closes its side within a time; it must not send any more before. */
        public boolean closesWithin(int millis) throws IOException {
            socket.setSoTimeout(millis);
            try {
                return socket.getInputStream().read() < 0;
            } catch (SocketTimeoutException notYet) {
                return false;
            } catch (IOException reset) {
                return true;
            } finally {
                socket.setSoTimeout(0);
            }
        }

        /** Reads until the gateway closes its side. */
        public void awaitClose() {
            try {
                while (socket.getInputStream().read() >= 0) {
                    // Only the end matters.
                }
            } catch (IOException reset) {
                // Closed as well.
            }
        }
    }

    private final ServerSocket server;
    private final Script script;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger connections = new AtomicInteger();
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);

    private RawUpstream(ServerSocket server, Script script) {
        this.server = server;
        this.script = script;
    }

    public static RawUpstream start(Script script) throws IOException {
        return start(0, script);
    }

    public static RawUpstream start(int port, Script script) throws IOException {
        var upstream = new RawUpstream(new ServerSocket(port, 128, InetAddress.getByName("127.0.0.1")), script);
        Thread.ofVirtual().start(upstream::accept);
        return upstream;
    }

    public int port() {
        return server.getLocalPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port() + "/v1";
    }

    /** Requests whose script has not ended. */
    public int running() {
        return running.get();
    }

    public int connections() {
        return connections.get();
    }

    public List<Call> calls() {
        return calls;
    }

    /** Blocks a script until the upstream is closed. */
    public void hold() throws InterruptedException {
        closing.await(60, TimeUnit.SECONDS);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                connections.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            while (true) {
                String head = head(in);
                int length = contentLength(head);
                var call = new Call(socket, head, new String(in.readNBytes(length), UTF_8));
                calls.add(call);
                running.incrementAndGet();
                try {
                    script.answer(call);
                } finally {
                    running.decrementAndGet();
                }
            }
        } catch (IOException | InterruptedException ended) {
            // The connection is over, as the test or the gateway wanted.
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(UTF_8).endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("closed");
            }
            head.write(b);
        }
        return head.toString(UTF_8);
    }

    private static int contentLength(String head) {
        return head.toLowerCase(Locale.ROOT)
                .lines()
                .filter(line -> line.startsWith("content-length:"))
                .map(line ->
                        Integer.parseInt(line.substring(line.indexOf(':') + 1).strip()))
                .findFirst()
                .orElse(0);
    }

    @Override
    public void close() throws IOException {
        closing.countDown();
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
