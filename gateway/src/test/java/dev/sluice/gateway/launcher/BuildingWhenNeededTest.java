package dev.sluice.gateway.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The launcher builds when the jar is missing or older than its sources")
class BuildingWhenNeededTest {
    /** Makes Maven say that it runs, and wait until the test lets it go on. */
    private static final String WAIT_FOR_THE_TEST = """
            : >"%1$s/building"
            trap 'echo stopped >"%1$s/stopped"; exit 1' TERM
            while [ -e "%1$s/building" ] && [ ! -e "%1$s/go" ]; do sleep 0.05; done
            """;

    @TempDir
    Path folder;

    Sandbox sandbox;

    @BeforeEach
    void aMachineWithAJdk() {
        sandbox = new Sandbox(folder).withJdk();
    }

    @Test
    void aFreshCloneIsBuiltOnceWithALineThatSaysSo() {
        sandbox.withMaven("echo much output; echo and warnings >&2");

        Sandbox.Ended first = sandbox.start("--version").end();
        Sandbox.Ended second = sandbox.start("--version").end();

        assertThat(first.err())
                .isEqualTo(
                        "sluice: building Sluice (first start: a minute or two; target/sluice-build.log shows how far"
                                + " it is)…\n");
        assertThat(first.out())
                .startsWith("java=")
                .contains("argument=--version\n")
                .doesNotContain("much output");
        assertThat(second.err()).isEmpty();
        assertThat(second.code()).isZero();
        assertThat(sandbox.mavenRuns()).hasSize(1);
    }

    @Test
    void onlyTheGatewayAndWhatItNeedsIsBuiltWithTheJdkThatWasFoundAndWithoutTests() {
        sandbox.withMaven("");

        sandbox.start().end();

        assertThat(sandbox.mavenRuns())
                .singleElement()
                .asString()
                .startsWith(folder.resolve("jdk") + " ")
                .contains("-pl gateway -am")
                .doesNotContain("test", "verify", "package", "install");
    }

    @Test
    void itWatchesTheModulesThatTheGatewayIsMadeOf() {
        Set<String> needed = new TreeSet<>();
        needModule("gateway", needed);

        assertThat(sandbox.modules()).containsExactlyInAnyOrderElementsOf(needed);
    }

    @Test
    void noneOfThemNeedsATestJarWhenTheLauncherBuildsIt() {
        Set<String> needed = new TreeSet<>();
        needModule("gateway", needed);

        assertThat(needed)
                .allSatisfy(module -> assertThat(Sandbox.read(Path.of("..", module, "pom.xml"))
                                .replaceAll("(?s)<profile>.*?</profile>", ""))
                        .as(
                                "pom of %s; as in postgres, such a dependency belongs in a profile without -Dlauncher",
                                module)
                        .doesNotContain("<type>test-jar</type>"));
    }

    private static void needModule(String module, Set<String> needed) {
        if (needed.add(module)) {
            Pattern.compile("<dependency>\\s*<groupId>dev\\.sluice</groupId>\\s*<artifactId>sluice-(\\w+)</artifactId>"
                            + "\\s*</dependency>")
                    .matcher(Sandbox.read(Path.of("..", module, "pom.xml")))
                    .results()
                    .forEach(dependency -> needModule(dependency.group(1), needed));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pom.xml",
                "gateway/pom.xml",
                "admission/pom.xml",
                "admission/src/main/java/Widget.java",
                "gateway/src/main/java/Widget.java",
                "gateway/src/main/resources/logback.xml"
            })
    void aNewerSourceOrPomIsBuilt(String name) {
        buildAndAge();
        Sandbox.write(sandbox.tree.resolve(name), "changed");

        Sandbox.Ended ended = sandbox.start().end();

        assertThat(ended.err()).isEqualTo("sluice: building Sluice (its sources have changed)…\n");
        assertThat(sandbox.mavenRuns()).hasSize(2);
    }

    @Test
    void aDeletedSourceIsNoticed() throws IOException {
        sandbox.source("gateway/src/main/java/Gone.java");
        buildAndAge();
        Files.delete(sandbox.tree.resolve("gateway/src/main/java/Gone.java"));

        sandbox.start().end();

        assertThat(sandbox.mavenRuns()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gateway/src/test/java/WidgetTest.java", "README.md", "bench/pom.xml"})
    void whatIsNotInTheJarIsNotBuilt(String name) {
        buildAndAge();
        Sandbox.write(sandbox.tree.resolve(name), "changed");
        Sandbox.age(sandbox.tree.resolve("gateway/src"), Duration.ofHours(1));

        sandbox.start().end();

        assertThat(sandbox.mavenRuns()).hasSize(1);
    }

    @Test
    void aSourceSavedWhileTheBuildRunsIsBuiltAtTheNextStart() {
        // Until it is: the clock of a file system goes in steps of some milliseconds.
        sandbox.withMaven("""
                while [ -z "$(find gateway/src/main/java/Widget.java -newer target/sluice-build.start)" ]; do
                    : >gateway/src/main/java/Widget.java
                done
                """);
        sandbox.start().end();
        sandbox.withMaven("");

        sandbox.start().end();

        assertThat(sandbox.mavenRuns()).hasSize(2);
    }

    @Test
    void aFailedBuildShowsItsErrorAndTheNextStartTriesAgain() {
        sandbox.withMaven("""
                echo '[INFO] Compiling 1 source file'
                echo '[WARNING] Widget.java:[2,1] [rawtypes] found raw type: List'
                echo '[ERROR] Widget.java:[3,5] cannot find symbol'
                echo '[ERROR] Failed to execute goal on project gateway: Compilation failure -> [Help 1]'
                echo '[ERROR] [Help 1] http://somewhere'
                echo '[WARNING] Some problems were encountered while building the effective model'
                echo '[ERROR] Re-run Maven using the -X switch to enable full debug logging.'
                exit 1
                """);

        Sandbox.Ended failed = sandbox.start("serve").end();

        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.out()).isEmpty();
        assertThat(failed.err())
                .contains("[ERROR] Widget.java:[3,5] cannot find symbol", "[WARNING] Widget.java:[2,1]", "build failed")
                .contains("[ERROR] Failed to execute goal on project gateway: Compilation failure\n")
                .doesNotContain("Compiling", "Re-run", "Help 1", "Some problems");

        sandbox.withMaven("");
        assertThat(sandbox.start().end().code()).isZero();
    }

    @Test
    void aBuildThatDiesWithoutAnErrorLineShowsItsLastLines() {
        sandbox.withMaven("echo 'There is insufficient memory'; exit 137");

        Sandbox.Ended failed = sandbox.start("serve").end();

        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.err()).contains("There is insufficient memory");
    }

    @Test
    void aBuildThatWasCutOffIsMadeAgainAlthoughItsJarIsNewerThanEverySource() throws InterruptedException {
        buildAndAge();
        Sandbox.write(sandbox.tree.resolve("pom.xml"), "changed");
        sandbox.withMaven("echo half >gateway/target/sluice.jar\n" + WAIT_FOR_THE_TEST.formatted(folder));
        Sandbox.Started started = sandbox.start("serve");
        await().until(() -> Files.exists(folder.resolve("building")));
        started.process().toHandle().destroyForcibly();
        started.process().waitFor();
        Sandbox.write(folder.resolve("go"), "");
        sandbox.withMaven("");

        Sandbox.Ended ended = sandbox.start("serve").end();

        assertThat(ended.code()).isZero();
        assertThat(sandbox.mavenRuns()).hasSize(3);
    }

    @Test
    void withoutMavenASingleLineSaysWhatToInstall() {
        Sandbox.Ended ended = sandbox.start("serve").end();

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err().lines()).singleElement().asString().contains("Maven is needed", "install");
    }

    @Test
    void twoStartsAtOnceBuildOnce() throws IOException {
        sandbox.withMaven(WAIT_FOR_THE_TEST.formatted(folder));

        Sandbox.Started first = sandbox.start("one");
        await().until(() -> Files.exists(folder.resolve("building")));
        Sandbox.Started second = sandbox.start("two");
        await().until(() -> second.errors().contains("waiting for another build"));
        Files.createFile(folder.resolve("go"));

        assertThat(first.end().out()).contains("argument=one\n");
        assertThat(second.end().out()).contains("argument=two\n");
        assertThat(sandbox.mavenRuns()).hasSize(1);
    }

    @Test
    void theLockOfABuilderThatDiedIsBroken() throws IOException, InterruptedException {
        sandbox.withMaven("");
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Path lock = sandbox.tree.resolve("target/sluice-build.lock");
        Sandbox.directory(lock.getParent());
        Sandbox.link(lock, Path.of("pid:" + dead.pid()));

        Sandbox.Ended ended = sandbox.start("serve").end();

        assertThat(ended.code()).isZero();
        assertThat(sandbox.mavenRuns()).hasSize(1);
        assertThat(Files.exists(lock, java.nio.file.LinkOption.NOFOLLOW_LINKS)).isFalse();
    }

    @Test
    void aStartThatIsTerminatedStopsItsBuildAndGivesTheLockBackWhenThatHasEnded() {
        sandbox.withMaven(WAIT_FOR_THE_TEST.formatted(folder));
        Sandbox.Started started = sandbox.start("serve");
        await().until(() -> Files.exists(folder.resolve("building")));

        started.process().destroy();

        assertThat(started.end().code()).isEqualTo(143);
        assertThat(folder.resolve("stopped")).exists();
        assertThat(sandbox.tree.resolve("target/sluice-build.lock")).doesNotExist();
        sandbox.withMaven("");
        assertThat(sandbox.start("serve").end().code()).isZero();
    }

    /** The state after a build some time ago. */
    private void buildAndAge() {
        sandbox.withMaven("");
        sandbox.start().end();
        Sandbox.age(sandbox.tree.resolve("gateway/target/sluice.jar"), Duration.ofMinutes(30));
    }
}
