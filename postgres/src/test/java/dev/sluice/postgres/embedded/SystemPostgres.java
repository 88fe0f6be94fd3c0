package dev.sluice.postgres.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** The programs of the machine's own PostgreSQL, on data in a temporary folder, by the same class that starts ours. */
public final class SystemPostgres implements AutoCloseable {
    private static final Path PROGRAMS = Path.of("/usr/lib/postgresql");

    private final Path folder;
    private final Server server;
    private final Server.Running running;
    private final Watchdog watchdog;
    private final String password;

    private SystemPostgres(Path folder, Server server, Server.Running running, Watchdog watchdog, String password) {
        this.folder = folder;
        this.server = server;
        this.running = running;
        this.watchdog = watchdog;
        this.password = password;
    }

    /** The oldest version that is installed; fails where none is. */
    public static SystemPostgres start() throws IOException {
        var folder = OpenFolder.create();
        var home = new Home(folder.toRealPath());
        var commands = new Commands(home.dir());
        var identity = Identity.choose(Optional.empty(), commands);
        var programs = new Binaries(oldest());
        var superuserPassword = Secret.ofSuperuser(home);
        initialise(home, programs, identity, commands);
        var server = new Server(home, programs, identity, commands);
        var running = server.start(Ports::free, Duration.ofMinutes(1));
        var watchdog = Watchdog.over(running, home.cluster(), identity, commands);
        var password = Secret.random();
        new Roles(superuserPassword).prepare(running.port(), home.cluster(), password);
        return new SystemPostgres(folder, server, running, watchdog, password);
    }

    private static void initialise(Home home, Binaries programs, Identity identity, Commands commands)
            throws IOException {
        for (var part : List.of(home.cluster(), home.log(), home.secret())) {
            if (!Files.exists(part)) {
                Files.createDirectory(part);
            }
            Ownership.give(part, identity);
        }
        commands.mustRun(
                identity,
                List.of(
                        programs.program("initdb").toString(),
                        "--pgdata=" + home.cluster(),
                        "--username=" + Cluster.SUPERUSER,
                        "--pwfile=" + home.secret(),
                        "--auth=scram-sha-256",
                        "--encoding=UTF8",
                        "--locale=C.UTF-8"));
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + running.port() + "/" + Roles.DATABASE;
    }

    String password() {
        return password;
    }

    @Override
    public void close() {
        try {
            server.stop(Duration.ofSeconds(30));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } finally {
            watchdog.dismiss();
            Shell.run("rm", "-rf", folder.toString());
        }
    }

    private static Path oldest() throws IOException {
        try (var versions = Files.newDirectoryStream(PROGRAMS)) {
            return StreamSupport.stream(versions.spliterator(), false)
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
    }
}
