package dev.sluice.postgres;

import static org.awaitility.Awaitility.await;

import dev.sluice.postgres.embedded.OpenFolder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.ds.PGSimpleDataSource;

/** The machine's PgBouncer before the test's database, in transaction mode with fewer sessions than clients. */
final class PgBouncer implements AutoCloseable {
    private static final Pattern URL = Pattern.compile("jdbc:postgresql://([^:/]+):(\\d+)/([^?]+).*");

    private final Process process;
    private final int port;
    private final TestDatabase database;

    private PgBouncer(Process process, int port, TestDatabase database) {
        this.process = process;
        this.port = port;
        this.database = database;
    }

    static PgBouncer before(TestDatabase database) throws IOException {
        Matcher url = URL.matcher(database.serverUrl());
        if (!url.matches()) {
            throw new IllegalArgumentException(database.serverUrl());
        }
        int port = freePort();
        Path folder = OpenFolder.create();
        Path users = open(Files.writeString(
                folder.resolve("users.txt"), "\"%s\" \"%s\"\n".formatted(database.user(), database.password())));
        Path settings = open(Files.writeString(
                folder.resolve("pgbouncer.ini"), """
                [databases]
                pooled = host=%s port=%s dbname=%s
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = scram-sha-256
                auth_file = %s
                pool_mode = transaction
                default_pool_size = 3
                ignore_startup_parameters = extra_float_digits
                """.formatted(url.group(1), url.group(2), url.group(3), port, users)));
        List<String> command = new ArrayList<>(List.of("/usr/sbin/pgbouncer"));
        if (System.getProperty("user.name").equals("root")) {
            // It refuses to run as root.
            command.addAll(List.of("-u", "postgres"));
        }
        command.add(settings.toString());
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        PgBouncer bouncer = new PgBouncer(process, port, database);
        await(folder.resolve("log").toString())
                .atMost(Duration.ofSeconds(20))
                .ignoreExceptions()
                .until(bouncer::answers);
        return bouncer;
    }

    private static Path open(Path file) throws IOException {
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private boolean answers() throws SQLException {
        try (var connection = source().getConnection()) {
            return connection.isValid(5);
        }
    }

    /** As the gateway asks: without statements that the server would have to know by name. */
    PGSimpleDataSource source() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + port + "/pooled");
        source.setUser(database.user());
        source.setPassword(database.password());
        source.setPrepareThreshold(0);
        return source;
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }
}
