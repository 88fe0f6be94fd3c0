package dev.sluice.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A stopped database, made once for each run of the tests and copied for each test: a second start is quick. */
final class Template {
    private static final Path HOME = make();

    private Template() {}

    private static Path make() {
        try {
            var folder = OpenFolder.create();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> Shell.run("rm", "-rf", folder.toString())));
            var home = folder.resolve("template");
            EmbeddedPostgres.start(Options.in(home)).close();
            return home;
        } catch (IOException failed) {
            throw new ExceptionInInitializerError(failed);
        }
    }

    /** The programs are linked, the data is copied. */
    static Path copyTo(Path home) throws IOException {
        Files.createDirectories(home);
        try (var parts = Files.list(HOME)) {
            for (var part : parts.toList()) {
                var how = part.getFileName().toString().startsWith("bin-") ? "-al" : "-a";
                Shell.run("cp", how, part.toString(), home.toString());
            }
        }
        return home;
    }

    /** Bare programs: what a home looks like whose first start died before there was a database. */
    static Path programsTo(Path home) throws IOException {
        copyTo(home);
        for (var part : List.of("cluster", "log", "secret", "lock", "owner")) {
            Shell.run("rm", "-rf", home.resolve(part).toString());
        }
        return home;
    }
}
