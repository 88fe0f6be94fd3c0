package dev.sluice.bench.tasks;

import dev.sluice.bench.cycle.Databases;
import dev.sluice.bench.process.Cpu;
import dev.sluice.bench.report.Results;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A gateway in a process of its own, asked over HTTP; its provider is simulated and takes no time. */
final class GatewayJobs implements Jobs {
    private static final String KEY = "sk-bench-of-the-tasks-0123456789abcdef";
    private static final long START_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);
    private static final String BODY =
            "{\"model\":\"nothing\",\"max_tokens\":1,\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]}"
                    .formatted(TEXT.substring(0, 30));

    /** More options of its JVM, for profiling. */
    private static final List<String> JVM =
            List.of(Results.option("gateway-jvm", "").split(" "));

    private static final byte[] REQUEST = Connections.request("/v1/chat/completions", KEY, BODY);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;
    private final int port;
    private final Process process;
    private final Connection looking;
    private final Statement looks;
    private @Nullable Connections connections;

    GatewayJobs(String url, int workers) throws IOException, InterruptedException, SQLException {
        this.url = url;
        this.port = freePort();
        Path dir = Files.createTempDirectory("sluice-bench-tasks");
        Path file = Files.writeString(
                dir.resolve("sluice.yaml"), String.format(Locale.ROOT, """
                listen: 127.0.0.1:%d
                admin: {listen: "127.0.0.1:%d"}
                database: {mode: external, url: "%s", user: postgres}
                platforms:
                  - id: none
                    providers:
                      - id: none
                        type: simulated
                        capacity: 1000
                        simulated: {time-to-first-token: 0s, tokens-per-second: 1000000, jitter: 0}
                models:
                  - id: nothing
                    served-by: [{platform: none, model: nothing, concurrency: {limit: 1000, queue: 1000000}}]
                groups:
                  - {id: bench, keys: [{name: bench, sha256: "%s"}]}
                workers: {slots: %d}
                """, port, freePort(), url, sha256(), workers));
        File log = dir.resolve("log").toFile();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseCompactObjectHeaders"));
        JVM.stream().filter(option -> !option.isEmpty()).forEach(command::add);
        command.addAll(List.of("-jar", "gateway/target/sluice.jar", "serve", "--config", file.toString()));
        this.process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        // A run that is broken off must not leave it behind.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        awaitReady(log);
        this.looking = DriverManager.getConnection(url);
        this.looks = looking.createStatement();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String sha256() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(KEY.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private void awaitReady(File log) throws IOException, InterruptedException {
        long end = System.nanoTime() + START_NANOS_MAX;
        while (System.nanoTime() < end && process.isAlive()) {
            try {
                if (client.send(request("/readyz").build(), BodyHandlers.discarding())
                                .statusCode()
                        == 200) {
                    return;
                }
            } catch (IOException notYet) {
                // It does not listen yet.
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        stop();
        throw new IllegalStateException("the gateway does not become ready: " + Files.readString(log.toPath()));
    }

    @Override
    public void insert(int jobs, int callers) throws IOException {
        if (connections == null) {
            connections = new Connections(port, callers, REQUEST);
        }
        connections.send(jobs);
    }

    /**
     * Asked of the database, on one connection, so that all that is looked at is on disk; a question that costs little,
     * since it is asked while the last tasks are done.
     */
    @Override
    public boolean areDone() throws SQLException {
        try (ResultSet unfinished =
                looks.executeQuery("select not exists (select from sluice.task where finished is null)")) {
            unfinished.next();
            return unfinished.getBoolean(1);
        }
    }

    @Override
    public long left() throws SQLException {
        return Long.parseLong(Databases.ask(url, "select count(*) from sluice.task where state <> 'succeeded'"));
    }

    @Override
    public long cpuMicros() {
        return Cpu.micros(process.toHandle());
    }

    @Override
    public void close() {
        try {
            if (connections != null) {
                connections.close();
            }
            looking.close();
        } catch (IOException | SQLException e) {
            throw new IllegalStateException(e);
        } finally {
            stop();
        }
    }

    private void stop() {
        process.destroy();
        process.onExit().join();
    }
}
