package dev.sluice.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.security.auth.module.UnixSystem;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The gateway as the ordinary user that it should be. Tests that run as root become nobody for it. */
@Timeout(120)
class OrdinaryUserTest {
    private static final boolean ROOT = new UnixSystem().getUid() == 0;

    @TempDir(factory = OpenFolder.class, cleanup = CleanupMode.NEVER)
    Path folder;

    private String classPath;

    /** Root's own folders, where Maven keeps its jars, are closed to others. */
    @BeforeEach
    void copyTheClassPath() throws Exception {
        var entries = new ArrayList<String>();
        for (var entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            var copy = folder.resolve(
                    "class-path-" + entries.size() + "-" + Path.of(entry).getFileName());
            Shell.run("cp", "-r", entry, copy.toString());
            Shell.run("chmod", "-R", "a+rX", copy.toString());
            entries.add(copy.toString());
        }
        classPath = String.join(File.pathSeparator, entries);
    }

    private Child start(Path home) {
        var prefix = ROOT ? List.of("setpriv", "--reuid=nobody", "--regid=65534", "--clear-groups") : List.<String>of();
        return Child.start(prefix, classPath, home);
    }

    private Path ownFolder() throws Exception {
        var own = Files.createDirectory(folder.resolve("own"));
        if (ROOT) {
            Shell.run("chown", "nobody", own.toString());
        }
        return own;
    }

    @Test
    void theServerRunsAsTheSameUserAndNothingBelongsToAnother() throws Exception {
        var home = Template.programsTo(ownFolder().resolve("home"));
        var user = Files.getOwner(home.getParent()).getName();
        Shell.run("chown", user, home.toString());
        try (var gateway = start(home)) {
            assertThat(gateway.next("ready")).isEqualTo("1");
            assertThat(Postmaster.serving(home.resolve("cluster"))
                            .orElseThrow()
                            .info()
                            .user())
                    .contains(user);
            assertThat(Shell.run("find", home.toString(), "-type", "f", "!", "-user", user))
                    .isEmpty();
            gateway.quit();
        }
    }

    @Test
    void aFolderThatItMayNotWriteIsNamedWithTheWaysOut() throws Exception {
        var closed = Files.createDirectory(folder.resolve("closed"));
        Shell.run("chmod", "555", closed.toString());
        var home = closed.resolve("home");
        try (var gateway = start(home)) {
            assertThat(gateway.next("refused")).contains("may not use " + home).contains("set database.dir");
        }
    }

    @Test
    void dataOfAnotherUserIsRefusedAndTheOwnerNamed() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        var owner = Files.getOwner(home.resolve("cluster")).getName();
        Shell.run("chmod", "0777", home.toString());
        if (ROOT) {
            Shell.run("chown", "nobody", home + "/secret");
        } else {
            // Only root can make files of others, so here it is the secret that can't be read.
            Shell.run("chmod", "000", home + "/secret");
        }
        try (var gateway = start(home)) {
            assertThat(gateway.next("refused")).contains(ROOT ? "belongs to " + owner : "may not use");
        }
    }
}
