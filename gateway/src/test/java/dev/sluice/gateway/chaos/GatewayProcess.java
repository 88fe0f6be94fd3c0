package dev.sluice.gateway.chaos;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import dev.sluice.gateway.Main;
import dev.sluice.postgres.embedded.Signal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A real gateway in a process of its own, which may be killed and started again, or paused. */
final class GatewayProcess implements AutoCloseable {
    private static final Pattern READY =
            Pattern.compile("is ready: API http://127\\.0\\.0\\.1:(\\d+)/v1, admin http://127\\.0\\.0\\.1:(\\d+)/");

    final String name;
    private final Path folder;
    private volatile int port;
    private volatile int adminPort;
    private volatile int deaths;
    private volatile boolean down = true;
    private int starts;
    private @Nullable Process process;

    GatewayProcess(String name, Path folder) {
        this.name = name;
        this.folder = folder;
    }

    /** Begins to start it with the file {@code NAME.yaml} in its folder. */
    void start() throws IOException {
        starts++;
        process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "serve",
                        "--config",
                        name + ".yaml"))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log().toFile())
                .start();
    }

    private Path log() {
        return folder.resolve(name + "-" + starts + ".log");
    }

    void awaitReady() {
        await(name + " starts").atMost(90, SECONDS).until(() -> {
            Matcher ready = READY.matcher(Files.readString(log()));
            if (!ready.find()) {
                if (!running().isAlive()) {
                    throw new AssertionError(Files.readString(log()));
                }
                return false;
            }
            port = Integer.parseInt(ready.group(1));
            adminPort = Integer.parseInt(ready.group(2));
            down = false;
            return true;
        });
    }

    private Process running() {
        if (process == null) {
            throw new IllegalStateException(name + " was not started");
        }
        return process;
    }

    int port() {
        return port;
    }

    int adminPort() {
        return adminPort;
    }

    /** Killed and not yet ready again. */
    boolean isDown() {
        return down;
    }

    /** How often it was killed: whoever was connected to it meanwhile is excused. */
    int deaths() {
        return deaths;
    }

    void kill() throws InterruptedException {
        down = true;
        deaths++;
        running().destroyForcibly().waitFor();
    }

    void pause() {
        Signal.send("STOP", running().pid());
    }

    void resume() {
        Signal.send("CONT", running().pid());
    }

    /** All that it said, in all its lives. */
    String said() throws IOException {
        StringBuilder all = new StringBuilder();
        for (int start = 1; start <= starts; start++) {
            all.append(Files.readString(folder.resolve(name + "-" + start + ".log")));
        }
        return all.toString();
    }

    @Override
    public void close() throws InterruptedException {
        if (process != null && process.isAlive()) {
            resume();
            process.destroy();
            if (!process.waitFor(20, SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        }
    }
}
