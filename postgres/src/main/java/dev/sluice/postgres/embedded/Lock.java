package dev.sluice.postgres.embedded;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One gateway for each folder. Taken before anything else there is touched and held for life; the kernel frees it
 * however the process ends.
 *
 * <p>The owner's process id is in a file of its own: closing any other descriptor of the lock file would drop a POSIX
 * lock.
 */
final class Lock implements AutoCloseable {
    private final FileChannel channel;

    private Lock(FileChannel channel) {
        this.channel = channel;
    }

    static Lock take(Home home) throws IOException {
        var channel = FileChannel.open(
                home.lock(), Set.of(CREATE, WRITE), PosixFilePermissions.asFileAttribute(Home.PRIVATE_FILE));
        if (!locked(channel)) {
            channel.close();
            throw new EmbeddedPostgresException("The data folder " + home.dir() + " is in use by another gateway ("
                    + owner(home) + "). Stop it, or give this one a folder of its own (database.dir) or an external"
                    + " database (database.mode: external).");
        }
        Files.writeString(home.owner(), Long.toString(ProcessHandle.current().pid()));
        return new Lock(channel);
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            @Nullable FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException heldByThisProcess) {
            return false;
        }
    }

    private static String owner(Home home) {
        try {
            return "pid " + Files.readString(home.owner()).strip();
        } catch (IOException unreadable) {
            return "its pid can't be read";
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
