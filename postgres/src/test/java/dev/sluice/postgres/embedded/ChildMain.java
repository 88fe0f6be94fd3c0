package dev.sluice.postgres.embedded;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A stand-in for the gateway in a process of its own, so that it can be killed. Takes the folder and perhaps a user;
 * prints what it does, a line each; waits for "close" or for a signal.
 */
final class ChildMain {
    private ChildMain() {}

    public static void main(String[] args) throws Exception {
        var options = Options.in(Path.of(args[0])).withProgress(line -> System.out.println("progress " + line));
        Optional<String> user = args.length > 1 ? Optional.of(args[1]) : Optional.empty();
        EmbeddedPostgres database;
        try {
            database = EmbeddedPostgres.start(user.map(options::withUser).orElse(options));
        } catch (EmbeddedPostgresException refused) {
            System.out.println("refused " + refused.getMessage());
            return;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> drainAndClose(database)));
        Sql.run(database, "CREATE TABLE IF NOT EXISTS starts (n serial)");
        Sql.run(database, "INSERT INTO starts DEFAULT VALUES");
        System.out.println("ready " + Sql.one(database, "SELECT count(*) FROM starts"));
        new BufferedReader(new InputStreamReader(System.in)).readLine();
    }

    /** What the gateway does at its end: it still needs the database, then closes it last. */
    private static void drainAndClose(EmbeddedPostgres database) {
        try {
            System.out.println("drained " + Sql.one(database, "SELECT 'with a database'"));
        } catch (java.sql.SQLException lost) {
            System.out.println("drained without: " + lost.getMessage());
        }
        database.close();
        System.out.println("closed");
    }
}
