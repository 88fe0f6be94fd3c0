package dev.sluice.bench.cycle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** PostgreSQL's own load driver with a script of one insert and one delete: pairs a second that the server can do. */
final class Pgbench {
    static final String NAME = "pgbench";
    private static final String DATABASE = "bench_pgbench";
    private static final Pattern TPS = Pattern.compile("tps = ([0-9.]+) \\(without");
    private static final String SCRIPT = """
            \\set id random(1, 1000000000000)
            INSERT INTO pair (id, expires_at) VALUES (:id, now() + interval '2 minutes');
            DELETE FROM pair WHERE id = :id;
            """;

    private Pgbench() {}

    static void prepare() throws SQLException {
        Databases.create(DATABASE);
        Databases.execute(
                Databases.url(Databases.port(), DATABASE),
                "CREATE TABLE pair (id bigint PRIMARY KEY, expires_at timestamptz NOT NULL)");
    }

    static double pairsPerSecond(int clients, int seconds) throws IOException {
        Path script = Files.writeString(Files.createTempFile("sluice-bench", ".sql"), SCRIPT);
        Process process = new ProcessBuilder(List.of(
                        "pgbench",
                        "-n",
                        "-M",
                        "prepared",
                        "-c",
                        Integer.toString(clients),
                        "-j",
                        Integer.toString(Math.min(2, clients)),
                        "-T",
                        Integer.toString(seconds),
                        "-f",
                        script.toString(),
                        "-h",
                        "127.0.0.1",
                        "-p",
                        Integer.toString(Databases.port()),
                        "-U",
                        "postgres",
                        DATABASE))
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Files.delete(script);
        Matcher tps = TPS.matcher(text);
        if (!tps.find()) {
            throw new IllegalStateException("pgbench: " + text);
        }
        return Double.parseDouble(tps.group(1));
    }
}
