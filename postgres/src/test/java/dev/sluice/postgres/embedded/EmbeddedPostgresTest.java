package dev.sluice.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.security.auth.module.UnixSystem;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresTest {
    private final Queue<String> progress = new ConcurrentLinkedQueue<>();

    /** That a step still goes on is told by the clock, not by what is done. */
    private void told(String line) {
        if (!line.contains(" still ")) {
            progress.add(line);
        }
    }

    @TempDir(factory = OpenFolder.class, cleanup = CleanupMode.NEVER)
    Path folder;

    private EmbeddedPostgres start(Path home) {
        return EmbeddedPostgres.start(Options.in(home).withProgress(this::told));
    }

    @Test
    void theFirstStartMakesEverythingAndTheSecondFindsTheData() throws Exception {
        var home = folder.resolve("not/there/yet");
        String formerPassword;
        try (var database = start(home)) {
            assertThat(progress)
                    .satisfiesExactly(
                            line -> assertThat(line).startsWith("Unpacking PostgreSQL into "),
                            line -> assertThat(line).startsWith("Creating the database in "),
                            line -> assertThat(line).isEqualTo("Starting PostgreSQL…"));
            formerPassword = database.password();
            Sql.run(database, "CREATE TABLE kept (what text)");
            Sql.run(database, "INSERT INTO kept VALUES ('grüße 数')");
        }
        progress.clear();
        try (var database = start(home)) {
            assertThat(progress).containsExactly("Starting PostgreSQL…");
            assertThat(Sql.one(database, "SELECT what FROM kept")).isEqualTo("grüße 数");
            assertThat(database.password()).isNotEqualTo(formerPassword);
        }
    }

    @Test
    void asRootOnlyTheChosenUserOwnsTheData() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        if (new UnixSystem().getUid() != 0) {
            assertThatThrownBy(() -> EmbeddedPostgres.start(Options.in(home).withUser("nobody")))
                    .isInstanceOf(EmbeddedPostgresException.class)
                    .hasMessageContaining("only root can become another user");
            return;
        }
        var outside = Files.writeString(folder.resolve("outside"), "of root");
        Files.createSymbolicLink(home.resolve("cluster/link"), outside);
        Shell.run("chown", "-h", "--reference=" + home.resolve("cluster"), home + "/cluster/link");
        try (var database = EmbeddedPostgres.start(Options.in(home).withUser("nobody"))) {
            var server = Postmaster.serving(home.resolve("cluster")).orElseThrow();
            assertThat(server.info().user()).contains("nobody");
            assertThat(Shell.run("find", home + "/cluster", home + "/log", "!", "-user", "nobody"))
                    .isEmpty();
            assertThat(Files.getOwner(outside).getName()).isEqualTo("root");
            assertThat(Files.getOwner(home.resolve("secret")).getName()).isEqualTo("root");
            assertThat(Sql.one(database, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void aPortThatIsTakenMeanwhileIsReplacedByAnother() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        try (var taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            var ports = List.of(taken.getLocalPort(), Ports.free()).iterator();
            try (var database = EmbeddedPostgres.start(Options.in(home), ports::next)) {
                assertThat(database.port()).isNotEqualTo(taken.getLocalPort());
                assertThat(Sql.one(database, "SELECT 1")).isEqualTo("1");
            }
        }
    }

    @Test
    void aServerThatIsKilledComesBackOnTheSameUrl() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        try (var database = start(home)) {
            Sql.run(database, "CREATE TABLE kept AS SELECT 42 AS answer");
            var killed = Postmaster.serving(home.resolve("cluster")).orElseThrow();
            Shell.kill("KILL", killed.pid());
            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> Sql.one(database, "SELECT answer FROM kept").equals("42"));
            assertThat(progress).anyMatch(line -> line.contains("(pid " + killed.pid() + ") has ended unexpectedly"));
        }
        assertThat(Postmaster.named(home.resolve("cluster"))).isEmpty();
    }

    @Test
    void closingStopsTheServerAndFreesTheFolder() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        var database = start(home);
        var server = Postmaster.serving(home.resolve("cluster")).orElseThrow();
        try (var openSession = Sql.asApplication(database)) {
            database.close();
            // It is gone once whoever inherited it has noticed.
            assertThat(server.onExit()).succeedsWithin(Duration.ofSeconds(30));
            assertThat(openSession.isValid(1)).isFalse();
        }
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .as("programs left running")
                .noneMatch(child -> List.of(child.info().arguments().orElse(new String[0]))
                        .contains(home.resolve("cluster").toString()));
        database.close();
        start(home).close();
    }

    @Test
    void pathsMayHaveSpacesQuotesAndOtherAlphabets() throws Exception {
        var home = Template.copyTo(folder.resolve("it's spät & früh; 数据 (1)"));
        try (var database = start(home)) {
            assertThat(Sql.one(database, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void aLongPathWorksUpToTheStatedLimit() throws Exception {
        var home = folder.toRealPath();
        while (home.toString().length() < 700) {
            home = home.resolve("x".repeat(Math.min(90, 799 - home.toString().length())));
        }
        home = home.resolve("y".repeat(799 - home.toString().length()));
        assertThat(home.toString()).hasSize(800);
        try (var database = start(Template.programsTo(home))) {
            assertThat(Sql.one(database, "SELECT 1")).isEqualTo("1");
        }
    }
}
