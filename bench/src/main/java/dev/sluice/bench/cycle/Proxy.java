package dev.sluice.bench.cycle;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** Stands before the server: delays what passes in each direction, and counts the client's messages. */
public final class Proxy implements AutoCloseable {
    private final ServerSocket server;
    private final int target;
    private final long delayNanos;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final LongAdder statements = new LongAdder();
    private final LongAdder roundTrips = new LongAdder();

    /** @param delayNanos one way; a round trip takes twice as much more */
    public Proxy(int target, long delayNanos) throws IOException {
        this.target = target;
        this.delayNanos = delayNanos;
        server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("proxy").start(this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Statements that clients had executed so far. */
    public long statements() {
        return statements.sum();
    }

    /** How often a client spoke after the server had, so far: what it sends at once is one. */
    public long roundTrips() {
        return roundTrips.sum();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), target);
                client.setTcpNoDelay(true);
                upstream.setTcpNoDelay(true);
                sockets.add(client);
                sockets.add(upstream);
                watch(client, upstream);
            }
        } catch (IOException closed) {
            close();
        }
    }

    private void watch(Socket client, Socket upstream) {
        FrontendMessages messages = new FrontendMessages(statements);
        AtomicBoolean answered = new AtomicBoolean(true);
        Lane.Watcher asking = (bytes, count) -> {
            messages.accept(bytes, count);
            if (answered.getAndSet(false)) {
                roundTrips.increment();
            }
        };
        new Lane(client, upstream, delayNanos, asking).start();
        new Lane(upstream, client, delayNanos, (bytes, count) -> answered.set(true)).start();
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
