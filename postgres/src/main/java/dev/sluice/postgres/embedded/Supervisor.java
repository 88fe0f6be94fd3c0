package dev.sluice.postgres.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Keeps the server running until it is dismissed: when the server ends although nobody stopped it (the kernel's
 * out-of-memory killer likes it), it is started again on the same port, so that every URL stays true.
 *
 * <p>One thread does all of it, the final stop included: a caller's interruption can't cut that short.
 */
final class Supervisor {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final Installation installation;
    private final Consumer<String> progress;
    private final CompletableFuture<Object> dismissed = new CompletableFuture<>();
    private final CompletableFuture<Void> ended;

    Supervisor(Installation installation, Installation.Running first, Consumer<String> progress) {
        this.installation = installation;
        this.progress = progress;
        this.ended = CompletableFuture.runAsync(
                () -> watch(first), Thread.ofVirtual().name("embedded-postgres-supervisor")::start);
    }

    /** Stops the server; returns when it is gone and nothing will start it any more. */
    void dismiss() throws IOException {
        dismissed.complete(true);
        try {
            ended.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof UncheckedIOException io) {
                throw io.getCause();
            }
            throw failed;
        }
    }

    private void watch(Installation.Running first) {
        var current = Optional.of(first);
        while (current.isPresent()) {
            var running = current.get();
            CompletableFuture.anyOf(running.server().process().onExit(), dismissed)
                    .join();
            current = dismissed.isDone() ? stopped(running) : revived(running);
        }
    }

    private Optional<Installation.Running> stopped(Installation.Running running) {
        try {
            installation.stop(running);
            return Optional.empty();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Empty when we were dismissed before it succeeded. */
    private Optional<Installation.Running> revived(Installation.Running dead) {
        progress.accept(
                "PostgreSQL (pid " + dead.server().process().pid() + ") has ended unexpectedly; starting it again…");
        dead.watchdog().dismiss();
        var pause = FIRST_PAUSE;
        while (!dismissedWithin(pause)) {
            try {
                var revived = installation.start(() -> dead.server().port());
                progress.accept("PostgreSQL runs again.");
                return Optional.of(revived);
            } catch (IOException | EmbeddedPostgresException failed) {
                progress.accept("PostgreSQL does not come up again: " + failed.getMessage());
            }
            var doubled = pause.multipliedBy(2);
            pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
        }
        return Optional.empty();
    }

    private boolean dismissedWithin(Duration pause) {
        try {
            dismissed.get(pause.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        } catch (InterruptedException | ExecutionException neverHappens) {
            throw new IllegalStateException(neverHappens);
        }
    }
}
