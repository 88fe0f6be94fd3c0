package dev.sluice.postgres.embedded;

import java.io.IOException;
import java.util.function.IntSupplier;

/**
 * A PostgreSQL server of the gateway's own: durable, on 127.0.0.1 alone, closed to other users of the machine by
 * passwords, and gone when the gateway is gone, however that ends.
 *
 * <p>It has no shutdown hook: the gateway closes it last, after its own draining. All methods may be called from any
 * thread.
 */
public final class EmbeddedPostgres implements AutoCloseable {
    private final Home home;
    private final Lock lock;
    private final Supervisor supervisor;
    private final int port;
    private final String password;

    private EmbeddedPostgres(Home home, Lock lock, Supervisor supervisor, int port, String password) {
        this.home = home;
        this.lock = lock;
        this.supervisor = supervisor;
        this.port = port;
        this.password = password;
    }

    /**
     * Starts the server, and makes it first where there is none: some seconds then, about one second later on.
     *
     * @throws EmbeddedPostgresException with a message for the operator when that can't be done; nothing is left
     *     running
     */
    public static EmbeddedPostgres start(Options options) {
        return start(options, Ports::free);
    }

    static EmbeddedPostgres start(Options options, IntSupplier ports) {
        try {
            var home = Home.open(options.home());
            var lock = Lock.take(home);
            try {
                return start(home, lock, options, ports);
            } catch (IOException | RuntimeException failed) {
                lock.close();
                throw failed;
            }
        } catch (IOException failed) {
            throw EmbeddedPostgresException.explaining(failed, options.home());
        }
    }

    private static EmbeddedPostgres start(Home home, Lock lock, Options options, IntSupplier ports) throws IOException {
        var superuserPassword = Secret.ofSuperuser(home);
        var installation = Installation.prepare(home, superuserPassword, options);
        options.progress().accept("Starting PostgreSQL…");
        Installation.Running running;
        try (var _ = Reminder.of(
                "PostgreSQL is still starting: after a crash it first reads again what it had noted last. That may take"
                        + " minutes.",
                options.progress())) {
            running = installation.start(ports);
        }
        try {
            var password = Secret.random();
            new Roles(superuserPassword).prepare(running.server().port(), home.cluster(), password);
            var supervisor = new Supervisor(installation, running, options.progress());
            return new EmbeddedPostgres(home, lock, supervisor, running.server().port(), password);
        } catch (IOException | RuntimeException failed) {
            installation.stop(running);
            throw failed;
        }
    }

    /** The JDBC URL of the application's database. It stays the same while this object is open. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + Roles.DATABASE;
    }

    /** The application's role. It owns the database and is no superuser. */
    public String user() {
        return Roles.APPLICATION;
    }

    /** The password of {@link #user}; another one after each start. */
    public String password() {
        return password;
    }

    /** The TCP port on 127.0.0.1. */
    public int port() {
        return port;
    }

    /**
     * Ends the server's sessions, stops it in order and frees the folder. Returns when the server is gone, even if the
     * calling thread is interrupted. Calling it again does nothing.
     *
     * @throws EmbeddedPostgresException when the server could not be stopped
     */
    @Override
    public void close() {
        try (lock) {
            supervisor.dismiss();
        } catch (IOException failed) {
            throw EmbeddedPostgresException.explaining(failed, home.dir());
        }
    }

    @Override
    public String toString() {
        return "EmbeddedPostgres[" + home.dir() + ", port " + port + "]";
    }
}
