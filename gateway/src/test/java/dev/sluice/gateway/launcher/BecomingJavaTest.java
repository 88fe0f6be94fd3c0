package dev.sluice.gateway.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The launcher becomes the Java that it starts")
class BecomingJavaTest {
    @TempDir
    Path folder;

    Sandbox sandbox;

    @BeforeEach
    void aMachineThatCanBuild() {
        sandbox = new Sandbox(folder).withJdk().withMaven("");
    }

    @Test
    void itIsTheSameProcessSoThatSignalsReachIt() {
        Sandbox.Ended ended = sandbox.start("serve").end();

        assertThat(ended.out()).contains("pid=" + ended.pid() + "\n");
    }

    @Test
    void itRunsTheJarOfTheTreeWithTheArgumentsAsTheyAre() {
        Sandbox.Ended ended =
                sandbox.start("serve", "--config", "my file.yaml", "*", "").end();

        assertThat(ended.out()).endsWith("""
                        argument=-jar
                        argument=%s/gateway/target/sluice.jar
                        argument=serve
                        argument=--config
                        argument=my file.yaml
                        argument=*
                        argument=
                        """.formatted(sandbox.tree));
    }

    @Test
    void itRunsInTheUsersFolderWhereverTheTreeIs() throws IOException {
        Path elsewhere = Sandbox.directory(folder.resolve("elsewhere"));
        Path link = folder.resolve("bin/sluice");
        Sandbox.link(link, Path.of("../a tree/sluice"));

        Sandbox.Ended ended =
                sandbox.start(link, elsewhere, "check", "--config", "here.yaml").end();

        assertThat(ended.err()).startsWith("sluice: building");
        assertThat(ended.out()).contains("folder=" + elsewhere.toRealPath() + "\n", "argument=here.yaml\n");
    }

    @Test
    void moreOptionsForTheJvmComeFromTheEnvironment() {
        sandbox.environment.put("SLUICE_JAVA_OPTS", "-Xmx512m *");

        Sandbox.Ended ended = sandbox.start("serve").end();

        assertThat(ended.out()).contains("argument=-Xmx512m\nargument=*\nargument=-jar\n");
    }

    @Test
    void itsExitCodeIsJavas() {
        sandbox.environment.put("FAKE_EXIT", "2");

        assertThat(sandbox.start("check").end().code()).isEqualTo(2);
    }
}
