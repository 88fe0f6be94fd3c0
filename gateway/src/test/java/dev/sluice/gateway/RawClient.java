package dev.sluice.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A client that sees every byte: for what a well-behaved HTTP client would never send, and for leaving at any moment. */
public final class RawClient implements AutoCloseable {
    /** Longer than anything a test waits for on purpose. */
    private static final int READ_MILLIS_MAX = 20_000;

    /** A whole answer; header names in lower case. */
    public record Answer(int status, Map<String, String> headers, String body) {
        public String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    private final Socket socket;
    private final InputStream in;

    private RawClient(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
    }

    public static RawClient connect(int port) throws IOException {
        return connect(port, 0);
    }

    /** @param receiveBuffer bytes the kernel takes in for a client that does not read; 0 for its default */
    public static RawClient connect(int port, int receiveBuffer) throws IOException {
        Socket socket = new Socket();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(READ_MILLIS_MAX);
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        return new RawClient(socket);
    }

    public static Answer exchange(int port, String request) throws IOException {
        try (RawClient client = connect(port)) {
            return client.send(request).answer();
        }
    }

    /** A chat completion with these further headers, each ending in CRLF. */
    public static String chat(String key, String body, String headers) {
        return post("/v1/chat/completions", key, body, headers);
    }

    public static String post(String path, String key, String body, String headers) {
        return "POST " + path + " HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer " + key
                + "\r\ncontent-type: application/json\r\n" + headers + "content-length: " + body.getBytes(UTF_8).length
                + "\r\n\r\n" + body;
    }

    public static String chat(String body) {
        return chat(RunningGateway.KEY, body, "");
    }

    public RawClient send(String bytes) throws IOException {
        return send(bytes.getBytes(UTF_8));
    }

    public RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    /** Says that nothing more will be sent, and goes on reading. */
    public void halfClose() throws IOException {
        socket.shutdownOutput();
    }

    /** Resets the connection instead of closing it. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Reads the head of an answer. */
    public Answer head() throws IOException {
        String status = line();
        Map<String, String> headers = new LinkedHashMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return new Answer(Integer.parseInt(status.split(" ", 3)[1]), headers, "");
    }

    /** Reads one whole answer; fails if it is cut. */
    public Answer answer() throws IOException {
        return answer(head());
    }

    /** Reads the rest of an answer whose head was read. */
    public Answer answer(Answer head) throws IOException {
        String length = head.header("content-length");
        String body;
        if (head.header("transfer-encoding").equals("chunked")) {
            body = chunked();
        } else if (!length.isEmpty()) {
            body = new String(exactly(Integer.parseInt(length)), UTF_8);
        } else {
            body = new String(in.readAllBytes(), UTF_8);
        }
        return new Answer(head.status, head.headers, body);
    }

    private String chunked() throws IOException {
        StringBuilder body = new StringBuilder();
        for (String chunk = chunk(); !chunk.isEmpty(); chunk = chunk()) {
            body.append(chunk);
        }
        return body.toString();
    }

    /** The next chunk; empty for the last one. */
    public String chunk() throws IOException {
        int size = Integer.parseInt(line(), 16);
        String data = new String(exactly(size), UTF_8);
        line();
        return data;
    }

    /** Everything up to the end of the connection, however it ends. */
    public String rest() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try {
            in.transferTo(all);
        } catch (IOException reset) {
            all.writeBytes("<reset>".getBytes(UTF_8));
        }
        return all.toString(UTF_8);
    }

    /** Whether the server has closed the connection; waits for it. */
    public boolean closedByServer() {
        try {
            return in.read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    private byte[] exactly(int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("the answer is cut after " + new String(bytes, UTF_8));
        }
        return bytes;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the connection ended after '" + line.toString(ISO_8859_1) + "'");
            }
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
