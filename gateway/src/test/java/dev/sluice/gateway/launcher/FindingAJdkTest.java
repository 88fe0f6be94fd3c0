package dev.sluice.gateway.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The launcher looks for a JDK 25 or newer")
class FindingAJdkTest {
    @TempDir
    Path folder;

    Sandbox sandbox;

    @BeforeEach
    void aTreeThatIsBuilt() {
        sandbox = new Sandbox(folder);
        Sandbox.directory(sandbox.tree.resolve("gateway/target/lib"));
        Sandbox.write(sandbox.tree.resolve("gateway/target/sluice.jar"), "jar");
    }

    @Test
    void theOneInJavaHomeComesFirst() {
        Path home = sandbox.jdk("mine", "25");
        putOnPath(sandbox.jdk("other", "26.0.1"));
        sandbox.environment.put("JAVA_HOME", home.toString());

        assertStarts(home);
    }

    @Test
    void anOlderOneInJavaHomeIsSkipped() {
        sandbox.environment.put("JAVA_HOME", sandbox.jdk("old", "17.0.15").toString());
        Path home = sandbox.jdk("new", "25.0.3");
        putOnPath(home);

        assertStarts(home);
    }

    @Test
    void oneFromTheDaysOfOneDotEightIsSkipped() {
        sandbox.environment.put("JAVA_HOME", sandbox.jdk("old", "1.8.0_412").toString());
        putOnPath(sandbox.jdk("new", "25.0.3"));

        assertStarts(folder.resolve("new"));
    }

    @Test
    void aJavaHomeThatIsNotThereIsSkipped() {
        sandbox.environment.put("JAVA_HOME", "/no/such/folder");
        putOnPath(sandbox.jdk("new", "25.0.3"));

        assertStarts(folder.resolve("new"));
    }

    @Test
    void oneThatOnlyRunsAndDoesNotCompileIsSkipped() throws IOException {
        Path jre = sandbox.jdk("jre", "25.0.3");
        Files.delete(jre.resolve("bin/javac"));
        sandbox.environment.put("JAVA_HOME", jre.toString());
        putOnPath(sandbox.jdk("new", "25.0.3"));

        assertStarts(folder.resolve("new"));
    }

    @Test
    void oneOnThePathIsFoundThroughItsLinks() {
        Path home = sandbox.jdk("jdk", "25.0.3");
        Path alternative = folder.resolve("alternative-java");
        Sandbox.link(alternative, home.resolve("bin/java"));
        Sandbox.link(sandbox.bin.resolve("java"), Path.of("../alternative-java"));

        assertStarts(home);
    }

    @Test
    void oneBehindAVersionManagersShimIsFound() {
        Path home = sandbox.jdk("jdk", "25.0.3");
        Sandbox.script(sandbox.bin.resolve("java"), "echo \"    java.home = " + home + "\" >&2\n");

        assertStarts(home);
    }

    @Test
    void oneWithoutAReleaseFileIsAskedForItsVersion() throws IOException {
        Path home = sandbox.jdk("jdk", "25.0.3");
        Files.delete(home.resolve("release"));
        Sandbox.script(home.resolve("bin/java"), """
                case $1 in
                    -version) echo 'openjdk version "25.0.3" 2026-04-21' >&2 ;;
                    *) echo "java=$0" ;;
                esac
                """);
        sandbox.environment.put("JAVA_HOME", home.toString());

        assertStarts(home);
    }

    @Test
    void oneInAFolderOfJdksIsFoundBesideOlderOnes() {
        sandbox.jdk("jvms/jdk-17", "17.0.15");
        Path home = sandbox.jdk("jvms/jdk-25", "25.0.3");
        sandbox.jdk("jvms/jdk-8", "1.8.0_412");
        sandbox.environment.put("SLUICE_JVM_DIRS", "/no/such/folder:" + folder.resolve("jvms"));

        assertStarts(home);
    }

    @Test
    void oneInTheLayoutOfMacOsIsFound() {
        Path home = sandbox.jdk("jvms/temurin-25.jdk/Contents/Home", "25.0.3");
        sandbox.environment.put("SLUICE_JVM_DIRS", folder.resolve("jvms").toString());

        assertStarts(home);
    }

    @Test
    void oneOfSdkmanIsFoundInTheHomeFolderAndElsewhere() {
        Path inHome = sandbox.jdk("home/.sdkman/candidates/java/25-tem", "25");
        assertStarts(inHome);

        Path elsewhere = sandbox.jdk("sdkman/candidates/java/25-tem", "25");
        sandbox.environment.put("SDKMAN_DIR", folder.resolve("sdkman").toString());
        assertStarts(elsewhere);
    }

    @Test
    void withoutOneASingleLineSaysWhatToInstall() {
        sandbox.environment.put("JAVA_HOME", sandbox.jdk("old", "24.0.2").toString());
        putOnPath(sandbox.jdk("older", "17.0.15"));

        Sandbox.Ended ended = sandbox.start("serve").end();

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.err().lines()).singleElement().asString().contains("no JDK 25", "install", "JAVA_HOME");
        assertThat(ended.out()).isEmpty();
    }

    private void putOnPath(Path home) {
        Sandbox.link(sandbox.bin.resolve("java"), home.resolve("bin/java"));
    }

    private void assertStarts(Path home) {
        Sandbox.Ended ended = sandbox.start("serve").end();

        assertThat(ended.err()).isEmpty();
        assertThat(ended.out()).contains("java=" + home.resolve("bin/java") + "\n");
        assertThat(ended.code()).isZero();
    }
}
