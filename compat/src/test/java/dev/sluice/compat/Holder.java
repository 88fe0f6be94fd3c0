package dev.sluice.compat;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;

/** A request that is never answered within a test; it ends when its connection is closed. */
final class Holder implements AutoCloseable {
    private static final String BODY = "{\"model\":\"hold\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";

    private final Socket socket;

    private Holder(Socket socket) {
        this.socket = socket;
    }

    static Holder ask(int port, String key) {
        try {
            var socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.getOutputStream()
                    .write(("POST /v1/chat/completions HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer " + key
                                    + "\r\ncontent-type: application/json\r\ncontent-length: " + BODY.length()
                                    + "\r\n\r\n" + BODY)
                            .getBytes(US_ASCII));
            return new Holder(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
