package dev.sluice.postgres;

import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Answers callers in the order of the commits, on a thread of its own: whatever a caller chains to its answer must not
 * hold up the next batch.
 */
final class Teller {
    /** Only set on the thread itself, by the last thing it is told. */
    private boolean stopped;

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
            while (!stopped) {
                told.take().run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Answers what is left and ends. */
    void close() throws InterruptedException {
        told.add(() -> stopped = true);
        thread.join();
    }
}
