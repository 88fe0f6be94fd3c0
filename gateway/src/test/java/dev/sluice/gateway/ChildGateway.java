package dev.sluice.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.postgres.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A gateway in a process of its own, to be killed or to be given little memory. */
final class ChildGateway implements AutoCloseable {
    private final Process process;
    private final int port;

    private ChildGateway(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** @param options of its Java */
    static ChildGateway start(Path folder, TestDatabase database, String yaml, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("gateway.yaml"), yaml);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(List.of(options));
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                WorkerChild.class.getName(),
                database.url(),
                database.serverUrl(),
                database.user(),
                database.password(),
                database.schema(),
                file.toString(),
                "none"));
        Process process = new ProcessBuilder(command)
                .redirectError(folder.resolve("err").toFile())
                .start();
        BufferedReader out = process.inputReader(UTF_8);
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("port ")) {
                return new ChildGateway(process, Integer.parseInt(line.substring("port ".length())));
            }
        }
        throw new AssertionError("the child ended before it was ready: " + Files.readString(folder.resolve("err")));
    }

    int port() {
        return port;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** As by {@code kill -9}. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
