package dev.sluice.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Whatever a file holds, it is read or refused")
class RandomMutationTest {
    private static final int FILES = 4_000;
    private static final List<String> PIECES = List.of(
            "{",
            "}",
            "[",
            "]",
            ": ",
            "- ",
            "&a ",
            "*a",
            "!!int ",
            "!x ",
            "\"",
            "'",
            "|\n",
            ">\n",
            "#",
            "? ",
            "<<: ",
            "${ENV:",
            "${ENV:X:-",
            "$${",
            "\n",
            "\t",
            "  ",
            "\0",
            "\uFEFF",
            "\u2028",
            "\ud83d\ude00",
            "---\n",
            "...\n",
            "%YAML 1.2\n",
            "-1",
            "0",
            "99999999999999999999",
            "1e9",
            "~",
            "null",
            "true",
            "9".repeat(400),
            "%",
            "@",
            "`");

    @Test
    void mutatedFilesNeverThrow() {
        long seed = Long.getLong("sluice.seed", new Random().nextLong());
        System.out.println("seed of the mutations: " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        int good = 0;
        for (int i = 0; i < FILES; i++) {
            byte[] content = mutate(random);
            switch (read(content, seed)) {
                case Verdict.Loaded(Configuration configuration) -> {
                    good++;
                    // What is accepted must also be something the ledger can be configured with.
                    assertThat(LedgerPolicies.of(configuration).routes()).hasSameSizeAs(configuration.models());
                }
                case Verdict.Faulty(List<FileFault> faults) -> {
                    // A fault past the last line, or on two lines of output, would lead nobody to its place.
                    int lines = (int)
                            new String(content, StandardCharsets.UTF_8).lines().count();
                    assertThat(faults).isSorted().isNotEmpty().allSatisfy(fault -> {
                        assertThat(fault.line()).isBetween(1, lines + 1);
                        assertThat(fault.toString().lines()).hasSize(1);
                    });
                }
            }
        }
        // Both ends must be reached, or the mutations are too mild or too wild to show anything.
        assertThat(good).isBetween(FILES / 100, FILES * 9 / 10);
    }

    private static Verdict read(byte[] content, long seed) {
        try {
            return ConfigurationFile.parse("sluice.yaml", content, Example.ENVIRONMENT);
        } catch (RuntimeException | StackOverflowError e) {
            throw new AssertionError("seed " + seed + ", file " + HexFormat.of().formatHex(content), e);
        }
    }

    private static byte[] mutate(SplittableRandom random) {
        List<String> lines = new ArrayList<>(Example.FULL.lines().toList());
        for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
            int at = random.nextInt(lines.size());
            String line = lines.get(at);
            int column = random.nextInt(line.length() + 1);
            switch (random.nextInt(7)) {
                case 0 -> lines.add(at, lines.get(random.nextInt(lines.size())));
                case 1 -> lines.remove(at);
                case 2 -> Collections.swap(lines, at, random.nextInt(lines.size()));
                case 3 -> lines.set(at, " ".repeat(random.nextInt(12)) + line.strip());
                case 4 -> lines.set(at, line.substring(0, column) + pick(random) + line.substring(column));
                case 5 -> lines.set(at, line.substring(0, column));
                default -> lines.set(at, line.substring(0, line.indexOf(':') + 1) + " " + pick(random));
            }
        }
        byte[] content = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(10) == 0) {
            content[random.nextInt(content.length)] = (byte) random.nextInt(256);
        }
        return content;
    }

    private static String pick(SplittableRandom random) {
        return PIECES.get(random.nextInt(PIECES.size()));
    }
}
