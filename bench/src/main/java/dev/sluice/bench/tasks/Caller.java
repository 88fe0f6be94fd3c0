package dev.sluice.bench.tasks;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One connection that is kept, and one request at a time. As little as does, since what a client costs is taken from the
 * gateway, which has the same cores.
 */
final class Caller implements AutoCloseable {
    private static final String LENGTH = "content-length:";
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    Caller(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** The status of the answer, which is read to its end. */
    int send(byte[] request) throws IOException {
        out.write(request);
        String status = line();
        int length = 0;
        for (String header = line(); !header.isEmpty(); header = line()) {
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith(LENGTH)) {
                length = Integer.parseInt(lower.substring(LENGTH.length()).strip());
            }
        }
        in.skipNBytes(length);
        return Integer.parseInt(status.split(" ", 3)[1]);
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("the gateway closed the connection");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    /** A request as it goes over the line. */
    static byte[] request(String path, String key, String body) {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        return ("POST " + path + " HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer " + key
                        + "\r\ncontent-type: application/json\r\nprefer: respond-async\r\ncontent-length: "
                        + content.length + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
