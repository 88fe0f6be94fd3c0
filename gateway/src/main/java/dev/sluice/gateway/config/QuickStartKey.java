package dev.sluice.gateway.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The file that keeps the quick-start key: made once, for the owner only (mode 0600). */
final class QuickStartKey {
    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    static final String NAME = "quickstart-key";
    private static final int LENGTH_MAX = 300;

    private QuickStartKey() {}

    /** The kept key, made if there is none; empty when the file holds something else. */
    static Optional<ApiKey> keep(Path folder, SecureRandom random) throws IOException {
        Path file = folder.resolve(NAME);
        if (!Files.exists(file)) {
            Files.createDirectories(folder);
            create(folder, file, ApiKey.generate(random));
        }
        if (posix(file)) {
            Files.setPosixFilePermissions(file, OWNER_ONLY);
        }
        String text = new String(read(file), StandardCharsets.UTF_8).strip();
        return ApiKey.isKey(text) ? Optional.of(ApiKey.of(text)) : Optional.empty();
    }

    // Written aside and linked into place: a crash leaves no half key, and of two processes one wins.
    private static void create(Path folder, Path file, ApiKey key) throws IOException {
        Path aside = file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid());
        FileAttribute<?>[] attributes = posix(folder)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                : new FileAttribute<?>[0];
        Files.deleteIfExists(aside);
        try (SeekableByteChannel out = Files.newByteChannel(
                aside, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes)) {
            out.write(ByteBuffer.wrap((key.reveal() + "\n").getBytes(StandardCharsets.UTF_8)));
        }
        try {
            Files.createLink(file, aside);
        } catch (FileAlreadyExistsException e) {
            // another process was first: its key counts
        } catch (UnsupportedOperationException e) {
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    private static byte[] read(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return in.readNBytes(LENGTH_MAX);
        }
    }

    private static boolean posix(Path path) throws IOException {
        return Files.getFileStore(path).supportsFileAttributeView("posix");
    }
}
