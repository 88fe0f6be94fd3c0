package dev.sluice.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.util.function.IntSupplier;

/** The parts of one folder, put together: what has to be there before a server can start, and how it is started. */
final class Installation {
    /** @param watchdog stops the server when we die */
    record Running(Server.Running server, Watchdog watchdog) {}

    private final Home home;
    private final Options options;
    private final Identity identity;
    private final Commands commands;
    private final Server server;

    private Installation(Home home, Options options, Identity identity, Commands commands, Binaries binaries) {
        this.home = home;
        this.options = options;
        this.identity = identity;
        this.commands = commands;
        this.server = new Server(home, binaries, identity, commands);
    }

    /** To be called by the holder of the folder's {@link Lock}. */
    static Installation prepare(Home home, String superuserPassword, Options options) throws IOException {
        var commands = new Commands(home.dir());
        var identity = Identity.choose(options.user(), commands);
        letIn(identity, home, commands);
        if (home.hasCluster()) {
            Ownership.requireUsable(home.cluster(), identity);
        }
        var binaries = Binaries.unpackedIn(home, Platform.current(), options.progress());
        new Orphan(home.cluster(), identity, commands).clear(options.progress());
        binaries.removeOthers(home, commands);
        new Cluster(home, binaries, identity, commands).prepare(superuserPassword, options.progress());
        prepareLog(home, identity);
        return new Installation(home, options, identity, commands, binaries);
    }

    private static void letIn(Identity identity, Home home, Commands commands) throws IOException {
        if (identity instanceof Identity.Dropped to) {
            home.letOthersPass();
            var closed = identity.closedOnTheWayTo(home.dir(), commands);
            if (closed.isPresent()) {
                throw new EmbeddedPostgresException("The gateway runs as root, so PostgreSQL runs as the user "
                        + to.user() + ", and that one may not enter the folder " + closed.get() + ". Put database.dir"
                        + " elsewhere (for example /var/lib/sluice), let others pass with chmod o+x " + closed.get()
                        + ", set database.user to a user that may enter, or start the gateway as an ordinary user.");
            }
        }
    }

    private static void prepareLog(Home home, Identity identity) throws IOException {
        if (!Files.isDirectory(home.log())) {
            Files.createDirectory(home.log());
            Files.setPosixFilePermissions(home.log(), Home.PRIVATE);
        }
        Ownership.give(home.log(), identity);
    }

    /** Starts the server, whatever the last one left behind. */
    Running start(IntSupplier ports) throws IOException {
        new Orphan(home.cluster(), identity, commands).clear(options.progress());
        ServerLog.removeOld(home.log(), commands, identity);
        var running = server.start(ports, options.startTimeout());
        return new Running(running, Watchdog.over(running, home.cluster(), identity, commands));
    }

    void stop(Running running) throws IOException {
        server.stop(options.stopTimeout());
        running.watchdog().dismiss();
    }
}
