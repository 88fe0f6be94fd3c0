package dev.sluice.postgres;

import static dev.sluice.postgres.Ledgers.MODEL;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.TaskIds;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/** An engine in a process of its own that admits two tasks, says so, and dies while it admits the third. */
final class KilledProcess implements AutoCloseable {
    /** Where it dies, as by {@code kill -9}. */
    enum Death {
        BEFORE_SEND,
        AFTER_COMMIT,
        IN_THE_HOOK
    }

    private final Process process;
    private final LedgerSchema schema;
    private Set<UUID> held = Set.of();

    private KilledProcess(Process process, LedgerSchema schema) {
        this.process = process;
        this.schema = schema;
    }

    static KilledProcess start(LedgerSchema schema, Death death) throws IOException {
        TestDatabase database = schema.database();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledProcess.class.getName(),
                        database.url(),
                        database.serverUrl(),
                        database.user(),
                        database.password(),
                        database.schema(),
                        death.name())
                .redirectErrorStream(true)
                .start();
        return new KilledProcess(process, schema);
    }

    /** The tasks that it said were admitted. */
    Set<UUID> untilItDies() throws Exception {
        Set<UUID> acknowledged = new HashSet<>();
        StringBuilder all = new StringBuilder();
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                all.append(line).append('\n');
                if (line.startsWith("admitted ")) {
                    acknowledged.add(UUID.fromString(line.substring("admitted ".length())));
                }
            }
        }
        if (process.waitFor() != 7) {
            throw new AssertionError("it ended otherwise:\n" + all);
        }
        held = schema.running();
        return acknowledged;
    }

    /** The tasks that hold leases when it is dead. */
    Set<UUID> heldAtDeath() {
        return held;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    public static void main(String[] args) {
        TestDatabase database = new TestDatabase(args[0], args[1], args[2], args[3], args[4]);
        LedgerSchema schema = new LedgerSchema(database, new PGSimpleDataSource());
        FaultySource source = FaultySource.of(schema);
        Death death = Death.valueOf(args[5]);
        AtomicInteger asked = new AtomicInteger();
        source.watch(point -> {
            if (asked.get() == 3 && point.name().equals(death.name())) {
                Runtime.getRuntime().halt(7);
            }
        });
        PostgresAdmission engine = PostgresAdmission.start(
                source,
                Policies.NONE.with(MODEL, ScopePolicy.limit(3).queue(10).leaseTtl(Duration.ofSeconds(2))),
                Options.of(database.schema(), "child").withPoll(Duration.ofHours(1)));
        while (!engine.isAvailable()) {
            Thread.onSpinWait();
        }
        TaskIds ids = new TaskIds(() -> 0);
        for (int i = 1; i <= 3; i++) {
            asked.set(i);
            UUID task = ids.next();
            Ask ask = Ask.sync(task, "w", "child", 100, List.of(Demand.one(MODEL)));
            boolean dies = i == 3 && death == Death.IN_THE_HOOK;
            Ledgers.admitted(
                    dies
                            ? engine.submit(
                                    ask,
                                    (connection, admitted) ->
                                            Runtime.getRuntime().halt(7))
                            : engine.submit(ask));
            System.out.println("admitted " + task);
        }
    }
}
