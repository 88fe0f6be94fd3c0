package dev.sluice.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What the running server guarantees to its owner and refuses to everybody else. */
class SafetyTest {
    @TempDir(factory = OpenFolder.class, cleanup = CleanupMode.NEVER)
    static Path folder;

    private static Path home;
    private static EmbeddedPostgres database;

    @BeforeAll
    static void startWithACarelessConfiguration() throws Exception {
        home = Template.copyTo(folder.resolve("home"));
        for (var line : List.of("fsync = off", "full_page_writes = off", "synchronous_commit = off")) {
            Shell.run("sh", "-c", "echo '" + line + "' >> " + home.resolve("cluster/postgresql.conf"));
        }
        database = EmbeddedPostgres.start(Options.in(home));
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @Test
    void whatIsAcknowledgedIsOnDiskWhateverTheConfigurationSays() throws Exception {
        try (var superuser = Sql.asSuperuser(database, home)) {
            Sql.run(superuser, "ALTER SYSTEM SET fsync = off");
            Sql.run(superuser, "SELECT pg_reload_conf()");
            assertThat(Sql.one(superuser, "SHOW fsync")).isEqualTo("on");
            assertThat(Sql.one(superuser, "SELECT source FROM pg_settings WHERE name = 'fsync'"))
                    .isEqualTo("command line");
        }
        assertThat(Sql.one(database, "SHOW full_page_writes")).isEqualTo("on");
        assertThat(Sql.one(database, "SHOW synchronous_commit")).isEqualTo("on");
        assertThat(Sql.one(database, "SHOW data_checksums")).isEqualTo("on");
    }

    @Test
    void itListensOnLoopbackAloneAndHasNoSocketFile() throws Exception {
        try (var superuser = Sql.asSuperuser(database, home)) {
            assertThat(Sql.one(superuser, "SHOW listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(Sql.one(superuser, "SHOW unix_socket_directories")).isEmpty();
        }
    }

    @Test
    void theLargestPoolThatTheConfigurationAllowsFits() throws Exception {
        var pool = 200;
        var theRest = 20;
        assertThat(Integer.parseInt(Sql.one(database, "SHOW max_connections"))).isGreaterThan(pool + theRest);
    }

    @Test
    void nobodyGetsInWithoutThePassword() {
        for (var user : List.of("sluice", "sluice_admin", "postgres")) {
            for (var password : List.of("wrong", "")) {
                assertThatThrownBy(() -> DriverManager.getConnection(database.url(), user, password))
                        .as("%s with password '%s'", user, password)
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("password");
            }
        }
    }

    @Test
    void thePasswordsAreOutOfReachOfOtherUsersAndOfTheLog() throws Exception {
        assertThat(Files.getPosixFilePermissions(home.resolve("secret")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.getPosixFilePermissions(home.resolve("cluster")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        for (var file : Shell.run("find", home + "/cluster", home + "/log", "-type", "f")
                .lines()
                .toList()) {
            var content = new String(Files.readAllBytes(Path.of(file)), StandardCharsets.ISO_8859_1);
            assertThat(content.contains(database.password())).as(file).isFalse();
        }
        assertThat(database.toString()).doesNotContain(database.password());
    }

    @Test
    void theApplicationOwnsItsDatabaseAndIsNoSuperuser() throws Exception {
        try (var application = Sql.asApplication(database)) {
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
        var server = Postmaster.serving(home.resolve("cluster")).orElseThrow();
        var users = server.descendants()
                .map(process -> process.info().user().orElse("unknown"))
                .toList();
        assertThat(users).isNotEmpty().doesNotContain("root", "unknown");
        assertThat(server.info().user()).isPresent().get().isNotEqualTo("root");
        assertThat(System.getenv()).containsEntry("LC_ALL", "C.UTF-8");
        assertThat(Files.readString(Path.of("/proc", "" + server.pid(), "environ")))
                .contains("LC_ALL=C\0")
                .doesNotContain("JAVA_HOME=", "HOME=", "LC_ALL=C.UTF-8");
    }
}
