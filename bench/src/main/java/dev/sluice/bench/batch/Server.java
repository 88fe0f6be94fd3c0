package dev.sluice.bench.batch;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A gateway with its own database and simulated providers, which may be killed and started again. */
final class Server implements AutoCloseable {
    static final String KEY = "sk-bench-batch-0123456789abcdefghijklmnopq";
    private static final long START_NANOS_MAX = TimeUnit.SECONDS.toNanos(90);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    /** In a folder of its own, beside the log and the data. */
    private final Path configuration;

    private final int port;
    private final int adminPort;
    private final int serviceMillis;
    private Process process;

    private Server(Path configuration, int port, int adminPort, int serviceMillis, Process process) {
        this.configuration = configuration;
        this.port = port;
        this.adminPort = adminPort;
        this.serviceMillis = serviceMillis;
        this.process = process;
    }

    /** @param serviceMillis mean time of a request on a slot */
    static Server start(int slots, int serviceMillis) throws IOException, InterruptedException {
        int port = freePort();
        int adminPort = freePort();
        Path dir = Files.createTempDirectory("sluice-bench-batch");
        // A database that may not run as root has to come through.
        Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path file = Files.writeString(
                dir.resolve("gateway.yaml"),
                String.format(
                        Locale.ROOT, """
                listen: 127.0.0.1:%d
                admin: {listen: "127.0.0.1:%d"}
                database: {mode: embedded, dir: "%s"}
                platforms:
                  - id: p
                    providers:
                      - {id: a, type: simulated, capacity: %d,
                         simulated: {time-to-first-token: %dms, tokens-per-second: 1000000, jitter: 0.5}}
                models:
                  - {id: m, served-by: [{platform: p, model: m}]}
                groups:
                  - {id: g, keys: [{name: k, sha256: "%s"}]}
                dispatch: {max-queue: 100000}
                workers: {slots: %d}
                """, port, adminPort, dir.resolve("data"), slots, serviceMillis, sha256(), slots));
        Server server = new Server(file, port, adminPort, serviceMillis, launch(file));
        server.awaitReady();
        return server;
    }

    private static Process launch(Path file) throws IOException {
        File log = file.resolveSibling("log").toFile();
        return new ProcessBuilder("./sluice", "serve", "--config", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .start();
    }

    private void awaitReady() throws InterruptedException {
        long end = System.nanoTime() + START_NANOS_MAX;
        while (System.nanoTime() < end && process.isAlive()) {
            try {
                if (send("GET", "/readyz", BodyPublishers.noBody(), "").statusCode() == 200) {
                    return;
                }
            } catch (IOException notYet) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
        stop();
        throw new IllegalStateException("the gateway does not start; see the log beside " + configuration);
    }

    /** Ends it as {@code kill -9} does, and starts it again on the same data. */
    void killAndStart() throws IOException, InterruptedException {
        process.destroyForcibly().waitFor();
        process = launch(configuration);
        awaitReady();
    }

    HttpClient client() {
        return client;
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    HttpResponse<String> send(String method, String path, BodyPublisher body, String type)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path))
                .header("authorization", "Bearer " + KEY)
                .method(method, body);
        if (!type.isEmpty()) {
            request.header("content-type", type);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    JsonNode json(String method, String path, BodyPublisher body, String type)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = send(method, path, body, type);
        if (answer.statusCode() != 200) {
            throw new IllegalStateException(path + " answered " + answer.statusCode() + " " + answer.body());
        }
        return JsonMapper.shared().readTree(answer.body());
    }

    /** Lines that end in a second when they have all slots. */
    double lineRate(int slots) {
        return slots * 1_000.0 / serviceMillis;
    }

    /** Slots in use now. */
    int inFlight() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + "/admin/providers"))
                .build();
        String text = client.send(request, BodyHandlers.ofString()).body();
        return JsonMapper.shared()
                .readTree(text)
                .path("providers")
                .path(0)
                .path("in_flight")
                .asInt();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String sha256() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(KEY.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ends it as SIGTERM does, and deletes what it wrote. */
    @Override
    public void close() {
        stop();
        try (Stream<Path> files = Files.walk(configuration.getParent())) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void stop() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
