package dev.sluice.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.security.auth.module.UnixSystem;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresTest {
    private final Queue<String> progress = new ConcurrentLinkedQueue<>();

    @TempDir(factory = OpenFolder.class)
    Path folder;

    private EmbeddedPostgres start(Path home) {
        return EmbeddedPostgres.start(Options.in(home).withProgress(progress::add));
    }

    private EmbeddedPostgres startCopy() throws Exception {
        return start(Template.copyTo(folder.resolve("home")));
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
    void whatIsAcknowledgedIsOnDiskWhateverTheConfigurationSays() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        var careless = List.of("fsync = off", "full_page_writes = off", "synchronous_commit = off");
        for (var line : careless) {
            Shell.run("sh", "-c", "echo '" + line + "' >> " + home.resolve("cluster/postgresql.conf"));
        }
        try (var database = start(home)) {
            try (var superuser = Sql.asSuperuser(database, home)) {
                Sql.run(superuser, "ALTER SYSTEM SET fsync = off");
                Sql.run(superuser, "SELECT pg_reload_conf()");
            }
            assertThat(Sql.one(database, "SHOW fsync")).isEqualTo("on");
            assertThat(Sql.one(database, "SHOW full_page_writes")).isEqualTo("on");
            assertThat(Sql.one(database, "SHOW synchronous_commit")).isEqualTo("on");
            assertThat(Sql.one(database, "SHOW data_checksums")).isEqualTo("on");
        }
    }

    @Test
    void itListensOnLoopbackAloneAndHasNoSocketFile() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        try (var database = start(home);
                var superuser = Sql.asSuperuser(database, home)) {
            assertThat(Sql.one(superuser, "SHOW listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(Sql.one(superuser, "SHOW unix_socket_directories")).isEmpty();
        }
    }

    @Test
    void nobodyGetsInWithoutThePassword() throws Exception {
        try (var database = startCopy()) {
            for (var user : List.of("sluice", "sluice_admin", "postgres")) {
                for (var password : List.of("wrong", "")) {
                    assertThatThrownBy(() -> DriverManager.getConnection(database.url(), user, password))
                            .as("%s with password '%s'", user, password)
                            .hasMessageContaining("password");
                }
            }
        }
    }

    @Test
    void thePasswordsAreOutOfReachOfOtherUsersAndOfTheLog() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        try (var database = start(home)) {
            assertThat(Files.getPosixFilePermissions(home.resolve("secret")))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            assertThat(Files.getPosixFilePermissions(home.resolve("cluster")))
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
            for (var file : Shell.run("find", home + "/cluster", home + "/log", "-type", "f").lines().toList()) {
                var content = new String(Files.readAllBytes(Path.of(file)), StandardCharsets.ISO_8859_1);
                assertThat(content.contains(database.password())).as(file).isFalse();
            }
            assertThat(database.toString()).doesNotContain(database.password());
        }
    }

    @Test
    void theApplicationOwnsItsDatabaseAndIsNoSuperuser() throws Exception {
        try (var database = startCopy();
                var application = Sql.asApplication(database)) {
            Sql.run(application, "CREATE SCHEMA ledger CREATE TABLE t (id bigint)");
            assertThat(Sql.one(application, "SHOW is_superuser")).isEqualTo("off");
            assertThatThrownBy(() -> Sql.run(application, "COPY ledger.t FROM PROGRAM 'echo 1'"))
                    .hasMessageContaining("permission denied to COPY to or from an external program");
            assertThatThrownBy(() -> Sql.run(application, "SELECT pg_read_file('PG_VERSION')"))
                    .hasMessageContaining("permission denied");
            assertThatThrownBy(() -> Sql.run(application, "CREATE ROLE other SUPERUSER"))
                    .hasMessageContaining("permission denied");
        }
    }

    @Test
    void theServerIsNeverRootAndKnowsNothingOfOurEnvironment() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        try (var database = start(home)) {
            var server = Postmaster.serving(home.resolve("cluster")).orElseThrow();
            var users = server.descendants()
                    .map(process -> process.info().user().orElse("unknown"))
                    .toList();
            assertThat(users).isNotEmpty().doesNotContain("root", "unknown");
            assertThat(server.info().user()).isPresent().get().isNotEqualTo("root");
            assertThat(Files.readString(Path.of("/proc", "" + server.pid(), "environ")))
                    .doesNotContain("JAVA_HOME=", "LC_ALL=C.UTF-8")
                    .contains("LC_ALL=C\0");
            assertThat(database.port()).isPositive();
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
            assertThat(server.isAlive()).isFalse();
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
