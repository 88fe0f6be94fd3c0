package dev.sluice.postgres.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The process that {@code postmaster.pid} names; its first line is the process id. */
final class Postmaster {
    private Postmaster() {}

    static Path pidFile(Path cluster) {
        return cluster.resolve("postmaster.pid");
    }

    /** Whatever lives under that pid now. Empty if nothing does, or there is no readable pid. */
    static Optional<ProcessHandle> named(Path cluster) throws IOException {
        try {
            var first = Files.readString(pidFile(cluster)).lines().findFirst().orElse("");
            return ProcessHandle.of(Long.parseLong(first.strip())).filter(ProcessHandle::isAlive);
        } catch (NoSuchFileException | NumberFormatException none) {
            return Optional.empty();
        }
    }

    /** The server that runs on this data directory. */
    static Optional<ProcessHandle> serving(Path cluster) throws IOException {
        var named = named(cluster);
        return named.isPresent() && serves(named.get(), cluster) ? named : Optional.empty();
    }

    /** A pid means little: after a restart of the machine or container it may be anyone's. */
    private static boolean serves(ProcessHandle process, Path cluster) {
        var proc = Path.of("/proc", Long.toString(process.pid()));
        if (!Files.isDirectory(proc)) {
            return process.info().command().orElse("").endsWith("/postgres")
                    && List.of(process.info().arguments().orElse(new String[0])).contains(cluster.toString());
        }
        try {
            return Files.readString(proc.resolve("comm")).strip().equals("postgres")
                    && (isStartedOn(cluster, proc) || isIn(cluster, proc));
        } catch (IOException goneMeanwhile) {
            return false;
        }
    }

    private static boolean isStartedOn(Path cluster, Path proc) throws IOException {
        var line = new String(Files.readAllBytes(proc.resolve("cmdline")), UTF_8);
        return List.of(line.split("\0", -1)).contains(cluster.toString());
    }

    /** True also when the folder was renamed under the running server. Needs more rights than the command line. */
    private static boolean isIn(Path cluster, Path proc) {
        try {
            return Files.isSameFile(proc.resolve("cwd"), cluster);
        } catch (IOException zombieOrAnotherUsers) {
            return false;
        }
    }
}
