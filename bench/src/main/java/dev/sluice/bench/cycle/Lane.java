package dev.sluice.bench.cycle;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/** One direction of a proxied connection: each piece leaves a fixed time after it came, whatever comes behind it. */
final class Lane {
    private static final int BUFFER_BYTES = 1 << 16;

    /** Sees what passes. */
    interface Watcher {
        void accept(byte[] bytes, int count);
    }

    private record Piece(byte[] bytes, int count, long dueNanos) {
        static final Piece END = new Piece(new byte[0], -1, 0);
    }

    private final Socket from;
    private final Socket to;
    private final long delayNanos;
    private final Watcher watcher;
    private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();

    Lane(Socket from, Socket to, long delayNanos, Watcher watcher) {
        this.from = from;
        this.to = to;
        this.delayNanos = delayNanos;
        this.watcher = watcher;
    }

    void start() {
        Thread.ofPlatform().daemon().name("lane-in").start(this::read);
        if (delayNanos > 0) {
            Thread.ofPlatform().daemon().name("lane-out").start(this::write);
        }
    }

    private void read() {
        byte[] bytes = new byte[BUFFER_BYTES];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                watcher.accept(bytes, count);
                if (delayNanos == 0) {
                    out.write(bytes, 0, count);
                } else {
                    pieces.add(new Piece(Arrays.copyOf(bytes, count), count, System.nanoTime() + delayNanos));
                }
            }
        } catch (IOException closed) {
            // Either side has closed; the other end of the lane hears of it by the end below.
        } finally {
            pieces.add(Piece.END);
        }
    }

    private void write() {
        try (OutputStream out = to.getOutputStream()) {
            for (Piece piece = pieces.take(); piece.count >= 0; piece = pieces.take()) {
                for (long left = piece.dueNanos - System.nanoTime();
                        left > 0;
                        left = piece.dueNanos - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                out.write(piece.bytes, 0, piece.count);
            }
        } catch (IOException | InterruptedException closed) {
            pieces.clear();
        }
    }
}
