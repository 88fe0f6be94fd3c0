package dev.sluice.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A port that leads to another one until it is cut: then nobody listens there and all connections are gone. */
public final class CuttableLink implements AutoCloseable {
    private final int target;
    private final int port;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private ServerSocket server;

    private CuttableLink(int target, ServerSocket server) {
        this.target = target;
        this.server = server;
        this.port = server.getLocalPort();
    }

    public static CuttableLink to(int target) throws IOException {
        CuttableLink link = new CuttableLink(target, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        link.accept(link.server);
        return link;
    }

    public int port() {
        return port;
    }

    public synchronized void cut() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
        open.clear();
    }

    public synchronized void mend() throws IOException {
        ServerSocket again = new ServerSocket();
        again.setReuseAddress(true);
        again.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        server = again;
        accept(again);
    }

    private void accept(ServerSocket from) {
        Thread.ofVirtual().start(() -> {
            while (!from.isClosed()) {
                try {
                    Socket near = from.accept();
                    Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                    open.add(near);
                    open.add(far);
                    pump(near, far);
                    pump(far, near);
                } catch (IOException cut) {
                    // The loop's condition decides.
                }
            }
        });
    }

    private void pump(Socket from, Socket to) {
        Thread.ofVirtual().start(() -> {
            try (InputStream in = from.getInputStream();
                    OutputStream out = to.getOutputStream()) {
                in.transferTo(out);
            } catch (IOException cut) {
                // Both ends close below.
            }
            open.remove(from);
        });
    }

    @Override
    public void close() throws IOException {
        cut();
    }
}
