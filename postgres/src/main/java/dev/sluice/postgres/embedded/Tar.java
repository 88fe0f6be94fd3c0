package dev.sluice.postgres.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Unpacks the kind of tar that PostgreSQL's programs come in: files, folders and symbolic links with names of up to 100
 * bytes. Anything else is refused, as is a name that leads out of the target.
 */
final class Tar {
    private static final int BLOCK = 512;

    private Tar() {}

    static void unpack(InputStream archive, Path target) throws IOException {
        for (var header = archive.readNBytes(BLOCK); isEntry(header); header = archive.readNBytes(BLOCK)) {
            var name = text(header, 0, 100);
            var size = octal(header, 124, 12);
            var place = inside(target, target.resolve(name), name);
            switch (header[156]) {
                case '5' -> folder(place);
                case '2' -> link(target, place, text(header, 157, 100));
                case '0', 0 -> file(archive, place, size, (octal(header, 100, 8) & 0100) != 0);
                default -> throw new IOException("entry " + name + " of an unknown kind: " + (char) header[156]);
            }
        }
    }

    /** Modes are set and not left to the umask: the server may run as another user than the one who unpacks. */
    private static void folder(Path place) throws IOException {
        if (!Files.isDirectory(place)) {
            folder(parent(place));
            Files.createDirectory(place);
            Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private static void link(Path target, Path place, String goal) throws IOException {
        inside(target, parent(place).resolve(goal), goal);
        folder(parent(place));
        Files.createSymbolicLink(place, Path.of(goal));
    }

    private static void file(InputStream archive, Path place, long size, boolean executable) throws IOException {
        folder(parent(place));
        try (var out = Files.newOutputStream(place)) {
            for (long left = size; left > 0; ) {
                var some = archive.readNBytes((int) Math.min(left, 1 << 16));
                if (some.length == 0) {
                    throw new EOFException("the archive ends within " + place.getFileName());
                }
                out.write(some);
                left -= some.length;
            }
        }
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
        archive.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
    }

    private static Path inside(Path target, Path place, String name) throws IOException {
        var plain = place.normalize();
        if (!plain.startsWith(target)) {
            throw new IOException("entry " + name + " leads out of the archive");
        }
        return plain;
    }

    private static Path parent(Path place) throws IOException {
        var parent = place.getParent();
        if (parent == null) {
            throw new IOException(place + " has no parent");
        }
        return parent;
    }

    private static boolean isEntry(byte[] header) {
        return header.length == BLOCK && header[0] != 0;
    }

    private static String text(byte[] header, int from, int length) {
        var end = from;
        while (end < from + length && header[end] != 0) {
            end++;
        }
        return new String(header, from, end - from, UTF_8);
    }

    private static long octal(byte[] header, int from, int length) throws IOException {
        var digits = text(header, from, length).strip();
        try {
            return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
        } catch (NumberFormatException damaged) {
            throw new IOException("the archive is damaged: " + digits + " is no number", damaged);
        }
    }
}
