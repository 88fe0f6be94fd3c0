package dev.sluice.postgres.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * Stops the server when the gateway dies without {@link #dismiss}ing it, by {@code kill -9} for example: the kernel
 * then closes the pipe on which this small process waits.
 *
 * <p>It aims at one process id that it checks once more, so it can't hit the server of the next gateway.
 */
final class Watchdog {
    private static final String SCRIPT = """
            trap '' INT HUP TERM
            read -r word
            [ "$word" = done ] && exit 0
            read -r pid < "$2/postmaster.pid" && [ "$pid" = "$1" ] || exit 0
            if [ -r "/proc/$1/comm" ]; then read -r name < "/proc/$1/comm" && [ "$name" = postgres ] || exit 0; fi
            kill -INT "$1"
            """;

    private final OutputStream pipe;

    private Watchdog(OutputStream pipe) {
        this.pipe = pipe;
    }

    static Watchdog over(Server.Running server, Path cluster, Identity identity, Commands commands) throws IOException {
        var process = commands.start(identity.running(
                List.of("sh", "-c", SCRIPT, "sh", Long.toString(server.process().pid()), cluster.toString())));
        process.getInputStream().close();
        return new Watchdog(process.getOutputStream());
    }

    void dismiss() {
        try (pipe) {
            pipe.write("done\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        } catch (IOException itIsGone) {
            // Somebody ended it; then there is nobody to dismiss.
        }
    }
}
