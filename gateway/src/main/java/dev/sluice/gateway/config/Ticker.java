package dev.sluice.gateway.config;

import java.time.Duration;

/** Runs something again and again: the time that the process runs on, or a test's own. */
@FunctionalInterface
public interface Ticker {
    /** Runs {@code task} about every {@code period}, never twice at once, until the answer is closed. */
    Ticking every(Duration period, Runnable task);

    /** Ends the repetition. */
    @FunctionalInterface
    interface Ticking extends AutoCloseable {
        @Override
        void close();
    }
}
