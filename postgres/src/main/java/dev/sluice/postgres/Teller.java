package dev.sluice.postgres;

import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Answers callers in the order of the commits, on a thread of its own: whatever a caller chains to its answer must not
 * hold up the next batch.
 */
final class Teller implements AutoCloseable {
    private static final Runnable STOP = () -> {};

    private final LinkedBlockingQueue<Runnable> told = new LinkedBlockingQueue<>();
    private final Thread thread;

    Teller() {
        thread = Thread.ofPlatform().name("sluice-ledger-teller").daemon().start(this::run);
    }

    void tell(List<Runnable> news) {
        told.addAll(news);
    }

    private void run() {
        try {
            for (Runnable next = told.take(); next != STOP; next = told.take()) {
                next.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws InterruptedException {
        told.add(STOP);
        thread.join();
    }
}
