package dev.sluice.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntSupplier;

/**
 * Starts and stops the server by {@code pg_ctl}. That puts it into a session of its own, so the Ctrl-C that ends the
 * gateway does not reach it, and the gateway can still write while it drains.
 */
final class Server {
    /** @param process the postmaster */
    record Running(int port, ProcessHandle process) {}

    private static final int PORTS_TRIED = 10;

    private final Home home;
    private final Binaries binaries;
    private final Identity identity;
    private final Commands commands;

    Server(Home home, Binaries binaries, Identity identity, Commands commands) {
        this.home = home;
        this.binaries = binaries;
        this.identity = identity;
        this.commands = commands;
    }

    /**
     * Starts on the first port that is free; between its choice and its use another process may take it.
     *
     * @throws EmbeddedPostgresException with the server's own last words when it does not come up
     */
    Running start(IntSupplier ports, Duration patience) throws IOException {
        Files.deleteIfExists(ServerLog.ofStart(home.log()));
        for (int i = 1; ; i++) {
            var port = ports.getAsInt();
            var log = ServerLog.from(home.log());
            var result = control(
                    patience.plusSeconds(10),
                    "start",
                    "-t" + patience.toSeconds(),
                    "-o" + Settings.commandLine(port),
                    "-l" + ServerLog.ofStart(home.log()));
            if (result.succeeded()) {
                return running(port);
            }
            var ended = Postmaster.serving(home.cluster()).isEmpty();
            if (i == PORTS_TRIED || !ended || Ports.isFree(port)) {
                var words = log.lastWords();
                stop(Duration.ofSeconds(1));
                throw EmbeddedPostgresException.explaining(
                        new IOException("PostgreSQL did not start on port " + port
                                + (ended ? "" : " within " + patience.toSeconds() + " s") + ". "
                                + result.output().strip() + "\nIts log in " + home.log() + " says:\n" + words),
                        home.dir());
            }
        }
    }

    /** {@code pg_ctl} says "started" only of the server that wrote the pid into this very data directory. */
    private Running running(int port) throws IOException {
        var process = Postmaster.serving(home.cluster());
        if (process.isEmpty()) {
            throw new EmbeddedPostgresException("PostgreSQL ended right after its start. Its log is in " + home.log());
        }
        return new Running(port, process.get());
    }

    /** Ends sessions and writes a checkpoint; cuts the server off after {@code patience}. Nothing if none runs. */
    void stop(Duration patience) throws IOException {
        var server = Postmaster.serving(home.cluster());
        if (server.isPresent()) {
            if (!stopped("fast", patience) && !stopped("immediate", Duration.ofSeconds(10))) {
                throw new EmbeddedPostgresException(
                        "PostgreSQL (pid " + server.get().pid() + ") does not stop.");
            }
            awaitEnd(server.get());
        }
    }

    /** The last thing the server does is to remove its pid file, for which {@code pg_ctl} waits; it ends just after. */
    private static void awaitEnd(ProcessHandle server) throws IOException {
        try {
            server.onExit().get(2, TimeUnit.SECONDS);
        } catch (TimeoutException zombie) {
            // Its parent, the first process of a container, does not reap it. It holds nothing any more.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException unexpected) {
            throw new IOException(unexpected);
        }
    }

    private boolean stopped(String mode, Duration patience) throws IOException {
        return control(patience.plusSeconds(10), "stop", "-m" + mode, "-t" + patience.toSeconds())
                .succeeded();
    }

    private Commands.Result control(Duration patience, String action, String... more) throws IOException {
        var command = new ArrayList<>(
                List.of(binaries.program("pg_ctl").toString(), action, "-s", "-w", "-D" + home.cluster()));
        command.addAll(List.of(more));
        return commands.run(patience, identity.running(command));
    }
}
