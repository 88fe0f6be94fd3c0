package dev.sluice.gateway.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The sources of all modules keep the rules of the house")
class SourcesTest {
    private static final Path TREE = Path.of("..").toAbsolutePath().normalize();
    private static final int LINES_MAX = 400;

    private static final Pattern EMPTY_NAMES =
            Pattern.compile("(util|utils|common|impl|manager|service|model|helper)s?");
    private static final Pattern EMPTY_SUFFIXES =
            Pattern.compile(".+(Manager|Service|Helper|Handler|Info|Data|Util|Utils|Impl)\\.java");

    @Test
    void noFileHasMoreThan400Lines() {
        Set<String> tooLong = sources()
                .filter(file -> lines(file).size() > LINES_MAX)
                .map(file -> file.getFileName().toString())
                .collect(Collectors.toSet());

        assertThat(tooLong).isEmpty();
    }

    @Test
    void everyPackageOfMainCodeIsNullMarked() {
        Set<Path> packages = mainSources().map(Path::getParent).collect(Collectors.toSet());

        assertThat(packages)
                .isNotEmpty()
                .allSatisfy(folder -> assertThat(folder.resolve("package-info.java"))
                        .content()
                        .contains("@NullMarked\npackage "));
    }

    @Test
    void noPackageIsNamedForALayerOrForNothing() {
        assertThat(sources().map(Path::getParent).distinct())
                .isNotEmpty()
                .noneMatch(folder ->
                        EMPTY_NAMES.matcher(folder.getFileName().toString()).matches());
    }

    @Test
    void noClassIsNamedByAWordThatSaysNothing() {
        assertThat(mainSources().map(file -> file.getFileName().toString()))
                .isNotEmpty()
                .noneMatch(name -> EMPTY_SUFFIXES.matcher(name).matches());
    }

    private static Stream<Path> mainSources() {
        return sources().filter(file -> file.toString().contains("/src/main/java/"));
    }

    private static Stream<Path> sources() {
        try (Stream<Path> modules = Files.list(TREE)) {
            List<Path> files = modules.map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .flatMap(SourcesTest::below)
                    .filter(file -> file.toString().endsWith(".java"))
                    .toList();
            assertThat(files).hasSizeGreaterThan(100);
            return files.stream();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Stream<Path> below(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.toList().stream();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
