package dev.sluice.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Temporary folders that other users may pass through; JUnit's own are closed to the user the server drops to. Use them
 * with {@code cleanup = NEVER}: they are removed here, quicker, and links in them are nothing to warn about.
 */
public final class OpenFolder implements TempDirFactory {
    private final List<Path> made = new ArrayList<>();

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        made.add(create());
        return made.getLast();
    }

    @Override
    public void close() {
        made.forEach(folder -> Shell.run("rm", "-rf", folder.toString()));
    }

    public static Path create() throws IOException {
        var folder = Files.createTempDirectory("sluice-test-");
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    }
}
