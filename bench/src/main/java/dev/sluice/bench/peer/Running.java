package dev.sluice.bench.peer;

import dev.sluice.bench.load.Load;
import dev.sluice.bench.load.Request;
import dev.sluice.bench.process.Cpu;
import dev.sluice.bench.report.Results;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A process that was started for a measurement and listens on a port of 127.0.0.1. */
final class Running implements AutoCloseable {
    private static final long START_NANOS_MAX = TimeUnit.SECONDS.toNanos(90);

    private final String name;
    private final Process process;
    private final int port;
    private List<ProcessHandle> database = List.of();

    private Running(String name, Process process, int port) {
        this.name = name;
        this.process = process;
        this.port = port;
    }

    /** The upstream in its own JVM, with so many microseconds between two events of a stream. */
    static Running upstream(int intervalMicros) throws IOException {
        int port = freePort();
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "dev.sluice.bench.upstream.Upstream",
                Integer.toString(port),
                Integer.toString(intervalMicros));
        return start("upstream", command, port, "load");
    }

    static Running gateway(Peer peer, int upstream) throws IOException {
        int port = freePort();
        Path dir = Files.createTempDirectory("sluice-bench-" + peer.label());
        // A database that may not run as root has to come through.
        Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path configuration = peer.configure(dir, port, freePort(), upstream);
        Running running = start(peer.label(), peer.command(configuration), port, "gateway");
        running.database = postmasters(dir);
        return running;
    }

    private static Running start(String name, List<String> command, int port, String role) throws IOException {
        List<String> pinned = new ArrayList<>();
        if (Results.option("split", "").equals("yes")) {
            pinned.addAll(List.of("taskset", "-c", role.equals("load") ? "0" : "1"));
        }
        pinned.addAll(command);
        File log = File.createTempFile("sluice-bench-" + name, ".log");
        Process process = new ProcessBuilder(pinned)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        Running running = new Running(name, process, port);
        running.awaitAnswer(log);
        return running;
    }

    private void awaitAnswer(File log) throws IOException {
        long end = System.nanoTime() + START_NANOS_MAX;
        while (System.nanoTime() < end && process.isAlive()) {
            try (Load load = new Load(port, Request.unary())) {
                load.connect(1);
                load.runFor(TimeUnit.MILLISECONDS.toNanos(200));
                if (load.answers() > 0) {
                    return;
                }
            } catch (UncheckedIOException notYet) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
        close();
        throw new IllegalStateException(name + " does not answer: " + Files.readString(log.toPath()));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    String name() {
        return name;
    }

    int port() {
        return port;
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    long cpuMicros() {
        return Cpu.micros(handle());
    }

    /** CPU of the database that it started, which is no child of it; 0 without one. */
    long databaseCpuMicros() {
        return database.stream().mapToLong(Cpu::microsWithReaped).sum();
    }

    private static List<ProcessHandle> postmasters(Path dir) {
        String data = dir.resolve("data").toString();
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains("/bin/postgres") && line.contains(data))
                        .isPresent())
                .toList();
    }

    /** Asks the whole tree to stop, and waits; a process that does not is ended. */
    @Override
    public void close() {
        List<ProcessHandle> tree = Cpu.tree(handle()).toList();
        tree.forEach(ProcessHandle::destroy);
        for (ProcessHandle one : tree) {
            try {
                one.onExit().orTimeout(10, TimeUnit.SECONDS).join();
            } catch (RuntimeException late) {
                one.destroyForcibly();
            }
        }
    }
}
