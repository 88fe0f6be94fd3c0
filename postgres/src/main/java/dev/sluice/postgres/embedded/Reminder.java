package dev.sluice.postgres.embedded;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Says from time to time that a step still goes on, until that is closed. */
final class Reminder implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofSeconds(10);

    private final CompletableFuture<Void> over = new CompletableFuture<>();

    /** @param line for people, plain text */
    static Reminder of(String line, Consumer<String> progress) {
        return of(line, progress, PERIOD);
    }

    static Reminder of(String line, Consumer<String> progress, Duration period) {
        var reminder = new Reminder();
        Thread.ofVirtual().start(() -> {
            while (!reminder.overWithin(period)) {
                progress.accept(line);
            }
        });
        return reminder;
    }

    private boolean overWithin(Duration period) {
        try {
            over.get(period.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        } catch (InterruptedException | ExecutionException neverHappens) {
            throw new IllegalStateException(neverHappens);
        }
    }

    @Override
    public void close() {
        over.complete(null);
    }
}
