package dev.sluice.bench.load;

import dev.sluice.bench.wire.Body;
import dev.sluice.bench.wire.Head;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** One keep-alive connection. */
final class Client {
    private final Load load;
    private final Request request;
    private final SocketChannel channel;
    private final ByteBuffer outgoing;
    private final Body body = new Body();
    private final byte[] bytes = new byte[8192];
    private int count;
    private boolean inBody;
    private long sentAt;

    Client(Load load, int port, Request request) throws IOException {
        this.load = load;
        this.request = request;
        this.outgoing = ByteBuffer.allocateDirect(request.bytes().length)
                .put(request.bytes())
                .flip();
        channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
    }

    void register(Selector selector) throws IOException {
        channel.register(selector, SelectionKey.OP_READ, this);
    }

    void send() throws IOException {
        ByteBuffer copy = outgoing.duplicate();
        sentAt = System.nanoTime();
        channel.write(copy);
        if (copy.hasRemaining()) {
            throw new IOException("the gateway did not take a request of " + outgoing.limit() + " bytes");
        }
    }

    void readable() throws IOException {
        int read = channel.read(ByteBuffer.wrap(bytes, count, bytes.length - count));
        if (read < 0) {
            throw new IOException("the gateway closed a keep-alive connection");
        }
        count += read;
        int bodyFrom = 0;
        if (!inBody) {
            Head head = Head.parse(bytes, count).orElse(null);
            if (head == null) {
                return;
            }
            if (head.status() != 200) {
                throw new IOException("unexpected answer: " + new String(bytes, 0, count, StandardCharsets.UTF_8));
            }
            body.begin(head);
            inBody = true;
            bodyFrom = head.length();
        }
        int before = body.events();
        body.accept(bytes, bodyFrom, count);
        count = 0;
        load.received(body.events() - before);
        if (body.done()) {
            inBody = false;
            if (body.events() != request.expectedEvents()) {
                throw new IOException(body.events() + " events instead of " + request.expectedEvents());
            }
            load.answered(System.nanoTime() - sentAt);
            send();
        }
    }

    void close() throws IOException {
        channel.close();
    }
}
