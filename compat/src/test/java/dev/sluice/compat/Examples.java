package dev.sluice.compat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The examples of a page of the documentation, which a reader copies in their order. */
record Examples(Path page, String text) {
    private static final Pattern BLOCK = Pattern.compile("(?m)^```(\\w+)\n((?:(?!```).*\n)*)```$");
    private static final Pattern PATH = Pattern.compile("/v1/[a-z_/{}]+");

    record Block(int line, String language, String code) {}

    static Examples of(String page) throws IOException {
        Path file = Path.of("..", page);
        return new Examples(file, Files.readString(file));
    }

    /** The paths that the page's first table lists. */
    List<String> endpoints() {
        String table = text.lines()
                .dropWhile(line -> !line.startsWith("|"))
                .takeWhile(line -> line.startsWith("|"))
                .collect(Collectors.joining("\n"));
        return PATH.matcher(table)
                .results()
                .map(found -> found.group())
                .distinct()
                .toList();
    }

    private List<Block> blocks(String language) {
        return BLOCK.matcher(text)
                .results()
                .map(found -> new Block(
                        (int) text.substring(0, found.start()).lines().count() + 1, found.group(1), found.group(2)))
                .filter(block -> block.language().equals(language))
                .toList();
    }

    /** Every block that calls the gateway, as one script, which says of each where it stands. */
    String shell() {
        return blocks("sh").stream()
                .filter(block -> block.code().contains("curl"))
                .map(block -> "echo '## " + page + ":" + block.line() + "'\n" + block.code())
                .collect(Collectors.joining("\n", "set -euo pipefail\n", ""));
    }

    String javaScript() {
        return blocks("js").stream()
                .map(block -> "console.log('## " + page + ":" + block.line() + "');\n" + block.code())
                .collect(Collectors.joining("\n"));
    }

    /** The path of a request as the table writes it. */
    static String template(String path) {
        Matcher known = Pattern.compile("(/v1/(?:tasks|models|files|batches|responses)/)[^/?]+")
                .matcher(path);
        return known.replaceFirst("$1{id}").replaceFirst("\\?.*", "");
    }
}
