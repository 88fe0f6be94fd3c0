package dev.sluice.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The commands check and key")
class CommandsTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void aGoodFileIsSummedUpAndTheExitCodeIsZero() throws IOException {
        Path file = Files.writeString(folder.resolve("sluice.yaml"), Example.FULL);

        assertThat(check(file)).isZero();

        assertThat(out).hasToString(file + ": good: 2 platforms, 3 providers, 2 models, 2 groups, 1 key\n");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void eachFaultIsALineAndTheExitCodeIsTwo() throws IOException {
        Path file = Files.writeString(
                folder.resolve("sluice.yaml"),
                Example.FULL.replace("limit: 10", "limit: x").replace("drain: 30s", "drain: x"));

        assertThat(check(file)).isEqualTo(2);

        assertThat(err)
                .hasToString(file + ":49: `limit` must be a whole number, but is `x`\n" + file
                        + ":69: `drain` must be a duration such as `60s`, but is `x`\n");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aFileThatIsNotThereOrNoFileIsAFault() {
        assertThat(check(folder.resolve("none.yaml"))).isEqualTo(2);
        assertThat(check(folder)).isEqualTo(2);

        assertThat(err)
                .hasToString(folder.resolve("none.yaml") + ":1: the file does not exist\n" + folder
                        + ":1: the file cannot be read\n");
    }

    @Test
    void aNewKeyIsPrintedWithTheHashThatTheConfigurationTakes() {
        NewKey.run(new SecureRandom(), new PrintWriter(out));

        Matcher printed = Pattern.compile("(?s).*?(sk-[A-Za-z0-9_-]{32,})\n.*sha256: \"([0-9a-f]{64})\".*")
                .matcher(out.toString());
        assertThat(printed.matches()).as(out.toString()).isTrue();
        String yaml = Example.LEAST + "    keys: [{name: ci, sha256: \"" + printed.group(2) + "\"}]\n";
        assertThat(Example.good(yaml).groups().getFirst().keys())
                .containsExactly(new Key("ci", ApiKey.sha256(printed.group(1))));
    }

    @Test
    void aHashIsThatOfTheUtf8BytesInLowerCaseHex() {
        // Known answers: SHA-256 of "abc" and of the two UTF-8 bytes of U+00E9.
        assertThat(ApiKey.sha256("abc")).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThat(ApiKey.sha256("\u00e9"))
                .isEqualTo("4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
    }

    @Test
    void keysDifferAndDoNotPrintThemselves() {
        SecureRandom random = new SecureRandom();
        ApiKey one = ApiKey.generate(random);
        assertThat(one.reveal()).isNotEqualTo(ApiKey.generate(random).reveal());
        assertThat(one).hasToString("sk-***");
        assertThat(ApiKey.isKey("sk-short")).isFalse();
        assertThat(ApiKey.isKey(one.reveal() + "\n")).isFalse();
    }

    private int check(Path file) {
        return Check.run(file, Example.ENVIRONMENT, new PrintWriter(out), new PrintWriter(err));
    }
}
