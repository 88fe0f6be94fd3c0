package dev.sluice.postgres.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs short programs in a folder and waits for their end. */
record Commands(Path directory) {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int LINES_SHOWN = 4;

    record Result(int exit, String output) {
        boolean succeeded() {
            return exit == 0;
        }
    }

    /** Runs a program whose failure is one of the expected answers. */
    Result run(Duration patience, List<String> command) throws IOException {
        var process = start(command);
        process.getOutputStream().close();
        // Read beside the wait, not before it: a server that outlives the program may hold the pipe open for ever.
        var output = new CompletableFuture<String>();
        Thread.ofVirtual().start(() -> read(process.getInputStream(), output));
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(command.getFirst() + " did not end within " + patience.toSeconds() + " s");
            }
            return new Result(process.exitValue(), text(output));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + command.getFirst() + " ran");
        } finally {
            process.destroy();
        }
    }

    /** Runs a program that has to succeed. */
    String mustRun(Identity identity, List<String> command) throws IOException {
        var result = run(PATIENCE, identity.running(command));
        if (!result.succeeded()) {
            var lines = result.output().strip().lines().toList();
            throw new IOException(command.getFirst() + " failed (exit " + result.exit() + "): "
                    + String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size())));
        }
        return result.output();
    }

    /** Removes a tree, never leaving it by a symbolic link; what another process still writes there may stay. */
    void remove(Path tree) throws IOException {
        run(PATIENCE, List.of("rm", "-rf", "--", tree.toString()));
    }

    /**
     * Starts a program with hardly any of our environment, which may hold the keys of providers, and without the
     * variables by which PostgreSQL's programs would be led astray (PGDATA, PGPORT, LC_ALL, …).
     */
    Process start(List<String> command) throws IOException {
        var builder = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        var path = System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", path, "LC_ALL", "C", "TZ", "UTC"));
        return builder.start();
    }

    private static void read(InputStream in, CompletableFuture<String> into) {
        try (in) {
            into.complete(new String(in.readAllBytes(), UTF_8));
        } catch (IOException | UncheckedIOException closed) {
            into.complete("");
        }
    }

    private static String text(CompletableFuture<String> output) throws InterruptedException {
        try {
            return output.get(1, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException heldOpenByAnother) {
            return "";
        }
    }
}
