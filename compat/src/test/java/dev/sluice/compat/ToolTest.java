package dev.sluice.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ToolTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({"NODE, node, nodejs", "NPM, npm, npm"})
    void aMissingProgramIsReportedWithItsDebianPackage(Tool tool, String program, String debianPackage) {
        assertThatThrownBy(() -> tool.findIn(folder.toString()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("'" + program + "' is missing")
                .hasMessageEndingWith("apt-get install " + debianPackage);
    }

    @Test
    void theFirstExecutableOnThePathIsTaken() throws IOException {
        Path npm = Files.createFile(folder.resolve("npm"));
        assertThat(npm.toFile().setExecutable(true)).isTrue();

        assertThat(Tool.NPM.findIn("/nowhere:" + folder)).isEqualTo(npm);
    }
}
