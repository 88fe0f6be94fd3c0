package dev.sluice.bench.tasks;

import dev.sluice.bench.wire.Body;
import dev.sluice.bench.wire.Head;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Callers in another program than the gateway, a connection each that is kept: the next request follows the answer to the
 * last one. All run on the thread that calls, since what a client costs is taken from the gateway, which has the same
 * cores.
 */
final class Connections implements AutoCloseable {
    private static final int ANSWER_BYTES_MAX = 16 << 10;
    private static final int ACCEPTED = 202;

    private final Selector selector = Selector.open();
    private final List<Connection> connections = new ArrayList<>();
    private final ByteBuffer request;
    private int toSend;
    private int toCome;

    Connections(int port, int callers, byte[] request) throws IOException {
        this.request = ByteBuffer.allocateDirect(request.length).put(request).flip();
        for (int i = 0; i < callers; i++) {
            connections.add(new Connection(port));
        }
    }

    /** A request as it goes over the line. */
    static byte[] request(String path, String key, String body) {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        return ("POST " + path + " HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer " + key
                        + "\r\ncontent-type: application/json\r\nprefer: respond-async\r\ncontent-length: "
                        + content.length + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Returns when so many requests were answered as accepted. */
    void send(int count) throws IOException {
        toSend = count;
        toCome = count;
        for (Connection connection : connections) {
            connection.sendNext();
        }
        while (toCome > 0) {
            selector.select();
            for (SelectionKey key : selector.selectedKeys()) {
                ((Connection) key.attachment()).readable();
            }
            selector.selectedKeys().clear();
        }
    }

    @Override
    public void close() throws IOException {
        for (Connection connection : connections) {
            connection.channel.close();
        }
        selector.close();
    }

    private final class Connection {
        private final SocketChannel channel;
        private final byte[] bytes = new byte[ANSWER_BYTES_MAX];
        private final ByteBuffer incoming = ByteBuffer.wrap(bytes);
        private final Body body = new Body();

        Connection(int port) throws IOException {
            channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, this);
        }

        void sendNext() throws IOException {
            if (toSend == 0) {
                return;
            }
            toSend--;
            ByteBuffer copy = request.duplicate();
            channel.write(copy);
            if (copy.hasRemaining()) {
                throw new IOException("the gateway did not take a request of " + request.limit() + " bytes");
            }
        }

        /** Answers are short: they are looked at again from their first byte whenever more of them has come. */
        void readable() throws IOException {
            if (channel.read(incoming) < 0) {
                throw new IOException("the gateway closed a connection");
            }
            int count = incoming.position();
            Optional<Head> head = Head.parse(bytes, count);
            if (head.isEmpty()) {
                return;
            }
            if (head.get().status() != ACCEPTED) {
                throw new IOException("unexpected answer: " + new String(bytes, 0, count, StandardCharsets.UTF_8));
            }
            body.begin(head.get());
            body.accept(bytes, head.get().length(), count);
            if (body.done()) {
                incoming.clear();
                toCome--;
                sendNext();
            }
        }
    }
}
