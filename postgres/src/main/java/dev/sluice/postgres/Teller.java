package dev.sluice.postgres;

import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers callers in the order of the commits, on a thread of its own: whatever a caller chains to its answer must not
 * hold up the next batch.
 */
final class Teller {
    private static final Logger LOG = LoggerFactory.getLogger(Teller.class);

    /** Only set on the thread itself, by the last thing it is told. */
    private boolean stopped;

    private final LinkedBlockingQueue<List<Runnable>> told = new LinkedBlockingQueue<>();
    private final Thread thread;

    Teller() {
        thread = Thread.ofPlatform().name("sluice-ledger-teller").daemon().start(this::run);
    }

    void tell(List<Runnable> news) {
        if (!news.isEmpty()) {
            told.add(news);
        }
    }

    private void run() {
        try {
            while (!stopped) {
                told.take().forEach(Teller::tellOne);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void tellOne(Runnable news) {
        try {
            news.run();
        } catch (RuntimeException | Error bug) {
            // The callers after this one want their answers all the same.
            LOG.error("telling a caller failed", bug);
        }
    }

    /** Answers what is left and ends. */
    void close() throws InterruptedException {
        told.add(List.of(() -> stopped = true));
        thread.join();
    }
}
