package dev.sluice.postgres.embedded;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Hands folders over to the database's user. */
final class Ownership {
    private Ownership() {}

    /**
     * Makes {@code tree} belong to {@code identity}, if it does not yet: it may be new, restored from a backup, or
     * from a start under another user.
     *
     * <p>Only what belongs to the folder's former owner changes hands, and no link is followed: else that owner could
     * have laid a link to a file of somebody else and get it from root.
     */
    static void give(Path tree, Identity identity) throws IOException {
        switch (identity) {
            case Identity.Dropped to -> {
                var former = uid(tree);
                if (former != to.uid()) {
                    Files.walkFileTree(tree, new Handover(former, to));
                }
            }
            case Identity.Own unused -> requireUsable(tree, identity);
        }
    }

    /** Refuses a folder of another user, unless we may give it to the right one. */
    static void requireUsable(Path tree, Identity identity) throws IOException {
        if (identity instanceof Identity.Own && uid(tree) != new UnixSystem().getUid()) {
            var me = System.getProperty("user.name");
            var owner = Files.getOwner(tree, NOFOLLOW_LINKS).getName();
            throw new EmbeddedPostgresException("The folder " + tree + " belongs to " + owner
                    + ", but the gateway runs as " + me + ", and PostgreSQL takes only data of its own user. Start the"
                    + " gateway as " + owner + " (or as root), or give it the folder: chown -R " + me + " "
                    + tree.getParent());
        }
    }

    private static long uid(Path path) throws IOException {
        return ((Integer) Files.getAttribute(path, "unix:uid", NOFOLLOW_LINKS)).longValue();
    }

    private static final class Handover extends SimpleFileVisitor<Path> {
        private final long former;
        private final Identity.Dropped to;

        Handover(long former, Identity.Dropped to) {
            this.former = former;
            this.to = to;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) throws IOException {
            return visitFile(dir, attributes);
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (uid(file) == former) {
                Files.setAttribute(file, "unix:uid", Math.toIntExact(to.uid()), NOFOLLOW_LINKS);
                Files.setAttribute(file, "unix:gid", Math.toIntExact(to.gid()), NOFOLLOW_LINKS);
            }
            return FileVisitResult.CONTINUE;
        }
    }
}
