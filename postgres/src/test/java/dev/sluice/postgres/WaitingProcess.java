package dev.sluice.postgres;

import static dev.sluice.postgres.Ledgers.MODEL;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.TaskIds;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.postgresql.ds.PGSimpleDataSource;

/** An engine in a process of its own whose clients wait. */
final class WaitingProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader lines;

    private WaitingProcess(Process process) {
        this.process = process;
        this.lines = process.inputReader(UTF_8);
    }

    static WaitingProcess start(LedgerSchema schema, int waiters, Duration waiterLease) throws IOException {
        TestDatabase database = schema.database();
        return new WaitingProcess(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WaitingProcess.class.getName(),
                        database.serverUrl(),
                        database.user(),
                        database.password(),
                        database.schema(),
                        Integer.toString(waiters),
                        waiterLease.toString())
                .redirectErrorStream(true)
                .start());
    }

    void untilItWaits() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            all.append(line).append('\n');
            if (line.equals("waits")) {
                return;
            }
        }
        throw new AssertionError("it ended:\n" + all);
    }

    long pid() {
        return process.pid();
    }

    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
    }

    public static void main(String[] args) throws IOException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(args[0]);
        source.setUser(args[1]);
        source.setPassword(args[2]);
        PostgresAdmission engine = PostgresAdmission.start(
                source,
                Ledgers.limit(1, Duration.parse(args[5])),
                Options.of(args[3], "child").withHeartbeat(Duration.ofSeconds(1)));
        while (!engine.isAvailable()) {
            Thread.onSpinWait();
        }
        TaskIds ids = new TaskIds(() -> 0);
        for (int i = 0; i < Integer.parseInt(args[4]); i++) {
            UUID task = ids.next();
            Ledgers.decision(engine.submit(Ask.sync(task, "waiter-" + task, "child", 100, List.of(Demand.one(MODEL)))));
        }
        System.out.println("waits");
        int unused = System.in.read();
    }
}
