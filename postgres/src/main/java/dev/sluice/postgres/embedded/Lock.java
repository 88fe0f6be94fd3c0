package dev.sluice.postgres.embedded;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One gateway for each folder. Taken before anything else there is touched and held for life; the kernel frees it
 * however the process ends.
 *
 * <p>A POSIX lock is lost as soon as its process closes any descriptor of the file. Hence the owner's process id is in
 * a file of its own, and a second attempt within one process is turned away before it opens the lock file.
 */
final class Lock implements AutoCloseable {
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Home home;
    private final FileChannel channel;

    private Lock(Home home, FileChannel channel) {
        this.home = home;
        this.channel = channel;
    }

    static Lock take(Home home) throws IOException {
        if (!HELD_HERE.add(home.dir())) {
            throw inUse(home);
        }
        Optional<Lock> lock = Optional.empty();
        try {
            lock = taken(home);
            return lock.orElseThrow(() -> inUse(home));
        } finally {
            if (lock.isEmpty()) {
                HELD_HERE.remove(home.dir());
            }
        }
    }

    private static Optional<Lock> taken(Home home) throws IOException {
        var channel = FileChannel.open(
                home.lock(), Set.of(CREATE, WRITE), PosixFilePermissions.asFileAttribute(Home.PRIVATE_FILE));
        if (channel.tryLock() == null) {
            channel.close();
            return Optional.empty();
        }
        Files.writeString(home.owner(), Long.toString(ProcessHandle.current().pid()));
        return Optional.of(new Lock(home, channel));
    }

    private static EmbeddedPostgresException inUse(Home home) {
        return new EmbeddedPostgresException("The data folder " + home.dir() + " is in use by another gateway"
                + owner(home) + ". Stop it, or give this one a folder of its own (database.dir) or an external"
                + " database (database.mode: external).");
    }

    /** Left out while the new owner has not written it yet, or where it can't be read. */
    private static String owner(Home home) {
        try {
            var pid = Long.parseLong(Files.readString(home.owner()).strip());
            return ProcessHandle.of(pid).isPresent() ? " (pid " + pid + ")" : "";
        } catch (IOException | NumberFormatException unknown) {
            return "";
        }
    }

    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            channel.close();
            HELD_HERE.remove(home.dir());
        }
    }
}
