package dev.sluice.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** PostgreSQL's data directory. */
final class Cluster {
    static final String SUPERUSER = "sluice_admin";

    private static final Pattern MAJOR = Pattern.compile("\\(PostgreSQL\\) (\\d+)");

    private final Home home;
    private final Binaries binaries;
    private final Identity identity;
    private final Commands commands;

    Cluster(Home home, Binaries binaries, Identity identity, Commands commands) {
        this.home = home;
        this.binaries = binaries;
        this.identity = identity;
        this.commands = commands;
    }

    /** Makes the data directory if there is none, else checks that these programs can read it. */
    void prepare(String password, Consumer<String> progress) throws IOException {
        removeLeftovers();
        var version = version();
        if (!home.hasCluster()) {
            progress.accept("Creating the database in " + home.cluster() + " (once)…");
            try (var _ = Reminder.of("The database is still being created…", progress)) {
                create(password);
            }
        }
        Ownership.give(home.cluster(), identity);
        requireSameMajor(version);
    }

    /**
     * Made aside and renamed: only a whole directory ever has the name that counts. A surviving {@code initdb} of a
     * killed gateway may still write into its own, so what it leaves is removed by a later start at the latest.
     */
    private void create(String password) throws IOException {
        var aside = Files.createTempDirectory(home.dir(), "cluster-part-");
        var passwordFile = aside.resolveSibling(aside.getFileName() + "-password");
        try {
            Durable.write(passwordFile, password + "\n");
            Ownership.give(aside, identity);
            Ownership.give(passwordFile, identity);
            commands.mustRun(
                    identity,
                    List.of(
                            binaries.program("initdb").toString(),
                            "--pgdata=" + aside,
                            "--username=" + SUPERUSER,
                            "--pwfile=" + passwordFile,
                            "--auth=scram-sha-256",
                            "--encoding=UTF8",
                            // PostgreSQL's own rules of order, so that an update of the C library can't corrupt an
                            // index.
                            "--locale-provider=builtin",
                            "--builtin-locale=C.UTF-8",
                            "--locale=C",
                            // Room for the gateway's largest pool; the operator may change it in postgresql.conf.
                            "--set=max_connections=250",
                            "--no-instructions"));
            Durable.rename(aside, home.cluster());
        } finally {
            Files.deleteIfExists(passwordFile);
            commands.remove(aside);
        }
    }

    private void removeLeftovers() throws IOException {
        for (var leftover : home.matching("cluster-part-*")) {
            commands.remove(leftover);
        }
    }

    /** Also the first run of a program, so the place to tell why none can be run here. */
    private String version() {
        var postgres = binaries.program("postgres").toString();
        try {
            var answer = commands.mustRun(identity, List.of(postgres, "--version"));
            var found = MAJOR.matcher(answer);
            if (found.find()) {
                return found.group(1);
            }
            throw new IOException(postgres + " --version answered " + answer.strip());
        } catch (IOException unusable) {
            throw new EmbeddedPostgresException("The PostgreSQL programs in " + binaries.dir() + " can't be run: "
                    + unusable.getMessage() + ". Is the file system mounted noexec, or has this machine no glibc 2.27"
                    + " or newer? " + Binaries.ALTERNATIVE);
        }
    }

    private void requireSameMajor(String ours) throws IOException {
        var file = home.cluster().resolve("PG_VERSION");
        if (!Files.isRegularFile(file)) {
            throw new EmbeddedPostgresException("The folder " + home.cluster() + " is no PostgreSQL data directory (it"
                    + " has no file PG_VERSION). Restore it from a backup, or move it away to start afresh.");
        }
        var theirs = Files.readString(file).strip();
        if (!theirs.equals(ours)) {
            throw new EmbeddedPostgresException("The database in " + home.cluster() + " was made by PostgreSQL "
                    + theirs + ", this gateway brings PostgreSQL " + ours + ", and neither reads the other's files."
                    + " Nothing was changed. Run the gateway's version that brought PostgreSQL " + theirs
                    + ", or move the data over: docs/operation.md, \"Upgrade to a new major version\".");
        }
    }
}
