package dev.sluice.postgres.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;

/** The folder that holds everything, by its real path, and the names of the things in it. */
record Home(Path dir) {
    /** PostgreSQL's programs cut paths off at 1,023 bytes; the longest name they put below the folder has 150. */
    private static final int LONGEST_BYTES = 800;

    static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");
    static final Set<PosixFilePermission> PRIVATE_FILE = PosixFilePermissions.fromString("rw-------");

    private static final Set<PosixFilePermission> PASSING =
            Set.of(PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);

    static Home open(Path given) throws IOException {
        refuseMisreadCurrentFolder(given);
        refuseUnusable(given.toAbsolutePath());
        if (!Files.isDirectory(given)) {
            create(given.toAbsolutePath().normalize());
            Files.setPosixFilePermissions(given, PRIVATE);
        }
        var home = new Home(given.toRealPath());
        refuseUnusable(home.dir());
        return home;
    }

    /** Parents that we make let others pass, whatever the umask: the server may run as another user. */
    private static void create(Path folder) throws IOException {
        var parent = folder.getParent();
        if (parent != null && !Files.exists(parent)) {
            create(parent);
        }
        Files.createDirectory(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    }

    Path lock() {
        return dir.resolve("lock");
    }

    Path owner() {
        return dir.resolve("owner");
    }

    Path secret() {
        return dir.resolve("secret");
    }

    Path cluster() {
        return dir.resolve("cluster");
    }

    Path log() {
        return dir.resolve("log");
    }

    boolean hasCluster() {
        return Files.isDirectory(cluster(), NOFOLLOW_LINKS);
    }

    /**
     * Lets other users pass through to what is theirs below; what is ours stays closed by its own mode. The group as
     * well: the system asks a member of the folder's group by that bit alone.
     */
    void letOthersPass() throws IOException {
        var mode = EnumSet.copyOf(Files.getPosixFilePermissions(dir));
        if (mode.addAll(PASSING)) {
            Files.setPosixFilePermissions(dir, mode);
        }
    }

    /** Names in the folder that match a glob. */
    List<Path> matching(String glob) throws IOException {
        try (var found = Files.newDirectoryStream(dir, glob)) {
            return StreamSupport.stream(found.spliterator(), false).toList();
        }
    }

    /** Java reads names by the locale; under LC_ALL=C it would quietly go to a folder with other letters. */
    private static void refuseMisreadCurrentFolder(Path given) {
        if (!given.isAbsolute() && System.getProperty("user.dir").contains("\uFFFD")) {
            throw new EmbeddedPostgresException("The current folder has letters in its name that Java can't read under"
                    + " this locale. Set LC_ALL=C.UTF-8, or set database.dir to a folder elsewhere.");
        }
    }

    private static void refuseUnusable(Path path) {
        var name = path.toString();
        if (name.chars().anyMatch(c -> "\"$`\\".indexOf(c) >= 0 || c < ' ')) {
            throw new EmbeddedPostgresException("The path " + name + " has one of the characters \" $ ` \\ or a control"
                    + " character in it, which PostgreSQL's programs can't take. Set database.dir to another folder.");
        }
        if (name.getBytes(UTF_8).length > LONGEST_BYTES) {
            throw new EmbeddedPostgresException("The path " + name + " is longer than " + LONGEST_BYTES
                    + " bytes, more than PostgreSQL's programs can take. Set database.dir to a shorter one.");
        }
    }
}
