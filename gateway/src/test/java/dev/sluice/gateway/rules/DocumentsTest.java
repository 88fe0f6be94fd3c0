package dev.sluice.gateway.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The documents hold together")
class DocumentsTest {
    private static final Path TREE = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]*)(?:#([^)\\s]*))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

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
