package dev.sluice.postgres.embedded;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** What an earlier gateway left behind when it was killed. Only to be met while the {@link Lock} is held. */
final class Orphan {
    private static final int FAST_SECONDS = 60;
    private static final int IMMEDIATE_SECONDS = 10;

    private final Path cluster;
    private final Identity identity;
    private final Commands commands;

    Orphan(Path cluster, Identity identity, Commands commands) {
        this.cluster = cluster;
        this.identity = identity;
        this.commands = commands;
    }

    /** Stops a server that still runs on the data directory, and sees to it that a stale pid can't hinder the next. */
    void clear(Consumer<String> progress) throws IOException {
        var server = Postmaster.serving(cluster);
        if (server.isPresent()) {
            progress.accept("Stopping the PostgreSQL that an earlier gateway left running (pid "
                    + server.get().pid() + ")…");
            stop(server.get());
        } else if (Postmaster.named(cluster).filter(this::isStranger).isPresent()) {
            disown();
        }
        // PostgreSQL itself sees through a dead pid, and through that of the process that starts it.
    }

    private boolean isStranger(ProcessHandle process) {
        return !process.equals(ProcessHandle.current());
    }

    private void stop(ProcessHandle server) throws IOException {
        signal("INT", server);
        if (!ended(server, FAST_SECONDS)) {
            signal("QUIT", server);
            if (!ended(server, IMMEDIATE_SECONDS)) {
                throw new EmbeddedPostgresException("A PostgreSQL of an earlier gateway (pid " + server.pid()
                        + ") still runs on " + cluster + " and does not stop. End it, then start again.");
            }
        }
    }

    /** As ourselves, not as the database's user: that may have been another one at the time. */
    private void signal(String name, ProcessHandle server) throws IOException {
        commands.run(Duration.ofSeconds(10), List.of("sh", "-c", "kill -" + name + " " + server.pid()));
    }

    private boolean ended(ProcessHandle server, int seconds) throws IOException {
        for (int i = 0; i < seconds * 5; i++) {
            try {
                server.onExit().get(200, TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException stillThere) {
                if (!Files.exists(Postmaster.pidFile(cluster))) {
                    return true; // gone, but a zombie until somebody reaps it
                }
            } catch (ExecutionException unexpected) {
                throw new IOException(unexpected);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while an old server was stopping");
            }
        }
        return false;
    }

    /**
     * Puts our own pid, which PostgreSQL takes for harmless, in the place of the stranger's. The other lines stay: by
     * them PostgreSQL finds out whether children of the old server still use its shared memory.
     */
    private void disown() throws IOException {
        var script = "umask 077 && { echo \"$2\"; tail -n +2 \"$1\"; } > \"$1.new\" && mv -f \"$1.new\" \"$1\"";
        commands.mustRun(
                identity,
                List.of(
                        "sh",
                        "-c",
                        script,
                        "sh",
                        Postmaster.pidFile(cluster).toString(),
                        Long.toString(ProcessHandle.current().pid())));
    }
}
