package dev.sluice.postgres.embedded;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Files and folders that are whole after a power failure, or not there at all. */
final class Durable {
    private static final int AT_A_TIME = 64;

    private Durable() {}

    /** Replaces a file in one step; only its owner may read it. */
    static void write(Path file, String content) throws IOException {
        var aside = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(aside);
        try (var out = FileChannel.open(
                aside, Set.of(CREATE_NEW, WRITE), PosixFilePermissions.asFileAttribute(Home.PRIVATE_FILE))) {
            var bytes = StandardCharsets.UTF_8.encode(content);
            writeAll(out, bytes);
            out.force(true);
        }
        rename(aside, file);
    }

    static void rename(Path from, Path to) throws IOException {
        Files.move(from, to, ATOMIC_MOVE);
        writeOut(to.toAbsolutePath().resolveSibling("."));
    }

    /**
     * Many at a time, so that the file system can write out hundreds of small files by few commits of its journal: for
     * PostgreSQL's thousand files 0.6 s instead of 6 on the machine where this was measured.
     */
    static void writeOutTree(Path tree) throws IOException {
        var flushes = new ArrayList<Future<?>>();
        try (var paths = Files.walk(tree);
                var threads = Executors.newFixedThreadPool(AT_A_TIME)) {
            for (var path : (Iterable<Path>) paths::iterator) {
                if (!Files.isSymbolicLink(path)) {
                    flushes.add(threads.submit(() -> {
                        writeOut(path);
                        return path;
                    }));
                }
            }
        }
        for (var flush : flushes) {
            if (flush.state() != Future.State.SUCCESS) {
                throw new IOException("writing out " + tree + " failed", flush.exceptionNow());
            }
        }
    }

    private static void writeOut(Path path) throws IOException {
        try (var channel = FileChannel.open(path, READ)) {
            channel.force(true);
        }
    }

    private static void writeAll(FileChannel out, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }
}
