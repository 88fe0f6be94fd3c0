package dev.sluice.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

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

    /** The programs are shared by a link, the data is copied. */
    static Path copyTo(Path home) throws IOException {
        Files.createDirectories(home);
        linkPrograms(home);
        Shell.run("cp", "-a", HOME + "/cluster", HOME + "/log", HOME + "/secret", home.toString());
        return home;
    }

    /** Bare programs: what a home looks like whose first start died before there was a database. */
    static Path programsTo(Path home) throws IOException {
        Files.createDirectories(home);
        linkPrograms(home);
        return home;
    }

    private static void linkPrograms(Path home) throws IOException {
        try (var programs = Files.newDirectoryStream(HOME, "bin-*")) {
            for (var folder : programs) {
                Files.createSymbolicLink(home.resolve(folder.getFileName()), folder);
            }
        }
    }
}
