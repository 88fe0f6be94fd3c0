package dev.sluice.gateway.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.http.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The documents hold together")
class DocumentsTest {
    private static final Path TREE = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]*)(?:#([^)\\s]*))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
    private static final Pattern METRIC = Pattern.compile("(?:\"sluice_|gauge\\(\\s*\")([a-z_]+)\"");
    private static final Pattern METRIC_TOLD = Pattern.compile("`sluice_([a-z_]+)(?:\\{[a-z_,]+})?`");
    private static final Pattern THREAD = Pattern.compile("\\.name\\(\"(sluice-[a-z-]+)\"");
    private static final Pattern TEST_TOLD = Pattern.compile("`([A-Z]\\w+)`");
    private static final Pattern THREAD_TOLD = Pattern.compile("`(sluice-[a-z-]+)`");

    @Test
    void everyLinkLeadsToAFileAndAHeadingThatAreThere() throws IOException {
        List<String> dead = new ArrayList<>();
        int links = 0;
        for (Path document : documents()) {
            for (MatchResult link :
                    LINK.matcher(Files.readString(document)).results().toList()) {
                String target = link.group(1);
                if (!target.contains("://")) {
                    links++;
                    Path file = target.isEmpty() ? document : document.resolveSibling(target);
                    if (!Files.exists(file) || !hasHeading(file, link.group(2))) {
                        dead.add(TREE.relativize(document) + ": " + link.group());
                    }
                }
            }
        }

        assertThat(dead).isEmpty();
        assertThat(links).isGreaterThan(10);
    }

    @Test
    void theTableOfErrorsHasEachCodeWithItsStatusAndType() throws IOException {
        Set<String> told = new TreeSet<>();
        for (String line : section("api.md", "Errors").lines().toList()) {
            String[] cells = line.split("\\s*\\|\\s*");
            if (cells.length > 4 && cells[2].matches("[0-9, ]+") && cells[3].startsWith("`")) {
                String[] statuses = cells[2].split(", ");
                String[] codes = cells[3].split(", ");
                for (int i = 0; i < codes.length; i++) {
                    told.add(codes[i].replace("`", "") + " " + statuses[i] + " " + cells[4].replace("`", ""));
                }
            }
        }

        assertThat(told)
                .isEqualTo(Stream.of(Fault.values())
                        .filter(fault -> fault != Fault.RATE_LIMIT_EXCEEDED) // rates are not enforced yet
                        .map(fault -> fault.code() + " " + fault.status() + " " + fault.type())
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void theTableOfMetricsHasEachNameThatTheCodeHas() throws IOException {
        Set<String> counted = found(METRIC, sources(Path.of("gateway", "src", "main")));

        assertThat(counted).hasSizeGreaterThan(20);
        assertThat(found(METRIC_TOLD, Stream.of(section("api.md", "Metrics")))).isEqualTo(counted);
    }

    @Test
    void theTableOfThreadsHasEachNameThatTheCodeGives() throws IOException {
        Set<String> named = new TreeSet<>();
        for (String module : List.of("admission", "postgres", "gateway")) {
            named.addAll(found(THREAD, sources(Path.of(module, "src", "main"))));
        }

        assertThat(named).hasSizeGreaterThan(10);
        assertThat(found(THREAD_TOLD, Stream.of(section("concurrency.md", "Who runs where"))))
                .isEqualTo(named);
    }

    @Test
    void theTestsThatAreToShowWhatBrokeElsewhereAreThere() throws IOException {
        Set<String> there = new TreeSet<>();
        for (String module : List.of("admission", "postgres", "gateway", "compat")) {
            try (Stream<Path> files = Files.walk(TREE.resolve(module).resolve("src/test"))) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(".java"))
                        .forEach(name -> there.add(name.substring(0, name.length() - ".java".length())));
            }
        }
        Set<String> named =
                found(TEST_TOLD, Stream.of(Files.readString(TREE.resolve("docs").resolve("cases.md"))));

        assertThat(named).hasSizeGreaterThan(30);
        assertThat(there).containsAll(named);
    }

    private static Set<String> found(Pattern pattern, Stream<String> texts) {
        return texts.flatMap(text -> pattern.matcher(text).results())
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> sources(Path folder) throws IOException {
        List<String> texts = new ArrayList<>();
        try (Stream<Path> files = Files.walk(TREE.resolve(folder))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                texts.add(Files.readString(file));
            }
        }
        return texts.stream();
    }

    /** From a heading of the second level to the next one. */
    private static String section(String document, String heading) throws IOException {
        String text = Files.readString(TREE.resolve("docs").resolve(document));
        int start = text.indexOf("\n## " + heading + "\n");
        assertThat(start).as(heading).isNotNegative();
        int end = text.indexOf("\n## ", start + 1);
        return text.substring(start, end < 0 ? text.length() : end);
    }

    private static boolean hasHeading(Path file, String anchor) throws IOException {
        return anchor == null
                || HEADING.matcher(Files.readString(file))
                        .results()
                        .map(heading -> heading.group(1)
                                .toLowerCase(Locale.ROOT)
                                .replaceAll("[^a-z0-9 -]", "")
                                .replace(' ', '-'))
                        .anyMatch(anchor::equals);
    }

    private static List<Path> documents() throws IOException {
        List<Path> documents = new ArrayList<>();
        for (Path folder : List.of(TREE, TREE.resolve("docs"), TREE.resolve("bench"))) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
            }
        }
        return documents;
    }
}
