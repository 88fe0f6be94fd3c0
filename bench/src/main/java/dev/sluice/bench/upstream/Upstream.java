package dev.sluice.bench.upstream;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * One thread, one selector. A request without {@code "stream":true} gets 500 bytes of JSON; with it, as many events as
 * its {@code max_tokens}, one each interval; with {@code max_tokens} 0, one event and then silence until the client
 * leaves. {@code GET /bench/stats} tells what is open and when the last stream was cut.
 */
public final class Upstream {
    private final Selector selector = Selector.open();
    private final ServerSocketChannel server = ServerSocketChannel.open();
    private final long intervalNanos;
    /** In order of the next event, since all streams have the same interval. */
    private final ArrayDeque<UpstreamConnection> streaming = new ArrayDeque<>();

    private long requests;
    private int streamsOpen;
    private int streamsOpenMax;
    private int streamsCut;
    private long lastCutNanos;

    private Upstream(int port, long intervalNanos) throws IOException {
        this.intervalNanos = intervalNanos;
        server.bind(new InetSocketAddress("127.0.0.1", port), 4096);
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
    }

    public static void main(String[] args) throws IOException {
        Upstream upstream = new Upstream(Integer.parseInt(args[0]), Long.parseLong(args[1]) * 1_000);
        System.out.println("upstream on " + upstream.server.getLocalAddress());
        while (true) {
            upstream.turn();
        }
    }

    private void turn() throws IOException {
        UpstreamConnection next = streaming.peek();
        long wait = next == null ? 0 : Math.max(1, (next.nextEventAt - System.nanoTime()) / 1_000_000);
        selector.select(wait);
        Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
        while (keys.hasNext()) {
            SelectionKey key = keys.next();
            keys.remove();
            if (key.isAcceptable()) {
                accept();
            } else {
                ((UpstreamConnection) key.attachment()).readable();
            }
        }
        sendDueEvents();
    }

    private void accept() throws IOException {
        SocketChannel channel = server.accept();
        while (channel != null) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ, new UpstreamConnection(this, channel));
            channel = server.accept();
        }
    }

    private void sendDueEvents() {
        long now = System.nanoTime();
        while (true) {
            UpstreamConnection due = streaming.peek();
            if (due == null || due.nextEventAt - now > 0) {
                return;
            }
            streaming.remove();
            if (due.sendEvent()) {
                due.nextEventAt = now + intervalNanos;
                streaming.add(due);
            }
        }
    }

    void counted() {
        requests++;
    }

    void streamStarted(UpstreamConnection connection, boolean silent) {
        streamsOpen++;
        streamsOpenMax = Math.max(streamsOpenMax, streamsOpen);
        if (!silent) {
            connection.nextEventAt = System.nanoTime() + intervalNanos;
            streaming.add(connection);
        }
    }

    void streamEnded() {
        streamsOpen--;
    }

    void streamCut() {
        streamsOpen--;
        streamsCut++;
        lastCutNanos = System.nanoTime();
    }

    /** System.nanoTime is the kernel's monotonic clock, the same in every process of the machine. */
    String stats() {
        return "{\"requests\":" + requests
                + ",\"streamsOpen\":" + streamsOpen
                + ",\"streamsOpenMax\":" + streamsOpenMax
                + ",\"streamsCut\":" + streamsCut
                + ",\"lastCutNanos\":" + lastCutNanos + "}";
    }

    static boolean contains(byte[] bytes, int from, int to, String word) {
        return indexOf(bytes, from, to, word) >= 0;
    }

    static int indexOf(byte[] bytes, int from, int to, String word) {
        byte[] wanted = word.getBytes(US_ASCII);
        outer:
        for (int i = from; i <= to - wanted.length; i++) {
            for (int j = 0; j < wanted.length; j++) {
                if (bytes[i + j] != wanted[j]) {
                    continue outer;
                }
            }
            return i;
        }
        return -1;
    }
}
