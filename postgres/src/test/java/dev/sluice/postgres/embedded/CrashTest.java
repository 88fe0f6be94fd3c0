package dev.sluice.postgres.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.security.auth.module.UnixSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CrashTest {
    @TempDir(factory = OpenFolder.class, cleanup = CleanupMode.NEVER)
    Path folder;

    @Test
    void aKilledGatewayLeavesNoServerBehindAndTheNextOneFindsTheData() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        try (var gateway = Child.in(home)) {
            gateway.next("ready");
            var server = serverOf(home);
            gateway.killHard();
            await().atMost(Duration.ofSeconds(30)).until(() -> !server.isAlive());
        }
        try (var next = Child.in(home)) {
            assertThat(next.next("ready")).isEqualTo("2");
            assertThat(next.seen()).noneMatch(line -> line.contains("left running"));
            next.quit();
        }
    }

    @Test
    void aServerThatOutlivedItsGatewayIsStoppedByTheNext() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        try (var gateway = Child.in(home)) {
            gateway.next("ready");
            var server = serverOf(home);
            watchdogOf(gateway).destroyForcibly();
            gateway.killHard();
            assertThat(server.isAlive()).isTrue();
            try (var next = Child.in(home)) {
                assertThat(next.next("ready")).isEqualTo("2");
                assertThat(next.seen())
                        .contains("progress Stopping the PostgreSQL that an earlier gateway left running (pid "
                                + server.pid() + ")…");
                // It is gone once whoever inherited it has noticed.
                assertThat(server.onExit()).succeedsWithin(Duration.ofSeconds(30));
                next.quit();
            }
        }
    }

    @Test
    void gatewayAndServerKilledAtOnceStartAgain() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        try (var gateway = Child.in(home)) {
            gateway.next("ready");
            var server = serverOf(home);
            Shell.run("kill", "-KILL", "" + gateway.pid(), "" + server.pid());
            try (var next = Child.in(home)) {
                assertThat(next.next("ready")).isEqualTo("2");
                next.quit();
            }
        }
    }

    @Test
    void aStalePidThatNobodyHasIsNoHindrance() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        var gone = new ProcessBuilder("true").start();
        gone.waitFor();
        leavePid(home, gone.pid());
        EmbeddedPostgres.start(Options.in(home)).close();
    }

    @Test
    void aStalePidThatAnotherProgramHasNowIsNoHindranceAndTheProgramIsSpared() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        var owner = Files.getOwner(home.resolve("cluster")).getName();
        var command = new ArrayList<>(
                new UnixSystem().getUid() == 0
                        ? List.of("setpriv", "--reuid=" + owner, "--clear-groups", "sleep", "600")
                        : List.of("sleep", "600"));
        var stranger = new ProcessBuilder(command).start();
        try {
            leavePid(home, stranger.pid());
            EmbeddedPostgres.start(Options.in(home)).close();
            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void aStartKilledWhileItMadeTheDatabaseIsBegunAgain() throws Exception {
        var home = Template.programsTo(folder.resolve("home"));
        try (var gateway = Child.in(home)) {
            gateway.next("progress Creating the database in " + home.resolve("cluster") + " (once)…");
            await().until(() -> gateway.handle().descendants().anyMatch(CrashTest::isInitdb));
            var initdb = gateway.handle().descendants().toList();
            gateway.killHard();
            initdb.forEach(ProcessHandle::destroyForcibly);
        }
        assertThat(home.resolve("cluster")).doesNotExist();
        assertThat(parts(home)).isNotEmpty();
        try (var next = Child.in(home)) {
            assertThat(next.next("ready")).isEqualTo("1");
            assertThat(parts(home)).isEmpty();
            next.quit();
        }
    }

    @Test
    void aStartKilledWhileItUnpackedIsBegunAgain() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        var programs = Files.list(home)
                .filter(path -> path.getFileName().toString().startsWith("bin-"))
                .findFirst()
                .orElseThrow();
        Files.delete(programs); // the link to them
        try (var gateway = Child.in(home)) {
            gateway.next("progress Unpacking PostgreSQL into " + programs + " (once)…");
            gateway.killHard();
        }
        assertThat(programs).doesNotExist();
        // Under the closest umask, since this is where the files are made that another user has to read.
        var closest = List.of("sh", "-c", "umask 077 && exec \"$@\"", "sh");
        try (var next = Child.start(closest, System.getProperty("java.class.path"), home)) {
            assertThat(next.next("ready")).isEqualTo("1");
            assertThat(parts(home)).isEmpty();
            next.quit();
        }
    }

    @Test
    void ofTwoGatewaysOnAnEmptyFolderOneStartsAndTheOthersAreToldWhoHasIt() throws Exception {
        var home = Template.programsTo(folder.resolve("home"));
        var inUse = "The data folder " + home.toRealPath() + " is in use by another gateway";
        try (var one = Child.in(home);
                var other = Child.in(home)) {
            CompletableFuture.anyOf(one.handle().onExit(), other.handle().onExit())
                    .join();
            var winner = one.handle().isAlive() ? one : other;
            var loser = one.handle().isAlive() ? other : one;
            assertThat(loser.next("refused")).startsWith(inUse);
            assertThat(winner.next("ready")).isEqualTo("1");
            try (var late = Child.in(home)) {
                assertThat(late.next("refused")).startsWith(inUse + " (pid " + winner.pid() + "). Stop it, or ");
            }
            winner.quit();
        }
    }

    @Test
    void aRefusedAttemptWithinTheSameProcessDoesNotLoseTheLock() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        try (var first = EmbeddedPostgres.start(Options.in(home))) {
            assertThatThrownBy(() -> EmbeddedPostgres.start(Options.in(home)))
                    .hasMessageContaining("in use by another gateway (pid "
                            + ProcessHandle.current().pid() + ")");
            try (var other = Child.in(home)) {
                assertThat(other.next("refused")).contains("in use by another gateway");
            }
            assertThat(Sql.one(first, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void aSignalToTheWholeProcessGroupLeavesTheServerToTheGateway() throws Exception {
        var home = Template.copyTo(folder.resolve("home"));
        try (var gateway = Child.in(home)) {
            gateway.next("ready");
            var server = serverOf(home);
            Shell.kill("TERM", -gateway.pid());
            assertThat(gateway.next("drained")).isEqualTo("with a database");
            gateway.next("closed");
            await().atMost(Duration.ofSeconds(30)).until(() -> !server.isAlive());
        }
    }

    private static ProcessHandle serverOf(Path home) throws Exception {
        return Postmaster.serving(home.toRealPath().resolve("cluster")).orElseThrow();
    }

    private static ProcessHandle watchdogOf(Child gateway) {
        var children = gateway.handle().children().toList();
        assertThat(children).hasSize(1);
        return children.getFirst();
    }

    private static boolean isInitdb(ProcessHandle process) {
        return process.info().commandLine().orElse("").contains("--boot");
    }

    private static List<Path> parts(Path home) throws Exception {
        return new Home(home).matching("*-part-*");
    }

    /** As a crash leaves it: a pid file of the right shape, owned by the database's user. */
    private static void leavePid(Path home, long pid) throws Exception {
        var file = Postmaster.pidFile(home.resolve("cluster"));
        Files.writeString(
                file, pid + "\n" + home.resolve("cluster") + "\n1700000000\n5432\n\n127.0.0.1\n  1 1\nready\n");
        Shell.run("chown", "--reference=" + home.resolve("cluster"), file.toString());
        Shell.run("chmod", "600", file.toString());
    }
}
