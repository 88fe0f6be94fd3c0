package dev.sluice.gateway.config;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.schema.FailsafeSchema;

/** From the bytes of a file to its YAML tree, within bounds. */
final class YamlText {
    static final int SIZE_MAX = 16 << 20;
    // The composer recurses; the configuration itself is seven levels deep.
    static final int DEPTH_MAX = 50;

    private static final char BOM = '\uFEFF';
    // Every scalar stays text: its key says what it is. Aliases and keys are judged where they are read.
    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setCodePointLimit(SIZE_MAX)
            .setMaxAliasesForCollections(SIZE_MAX)
            .setAllowNonScalarKeys(true)
            .setSchema(new FailsafeSchema())
            .build();

    private YamlText() {}

    /** The root of the only document, or empty with the reason among the faults. */
    static Optional<Node> root(byte[] content, Faults faults) {
        if (content.length > SIZE_MAX) {
            faults.add(1, "the file is larger than " + Sizes.text(SIZE_MAX));
            return Optional.empty();
        }
        return decode(content, faults).flatMap(text -> compose(text, faults));
    }

    private static Optional<Node> compose(String text, Faults faults) {
        try {
            if (tooDeep(text, faults)) {
                return Optional.empty();
            }
            Optional<Node> root = new Compose(SETTINGS).composeString(text);
            if (root.isEmpty()) {
                faults.add(1, "the file is empty");
            }
            return root;
        } catch (MarkedYamlEngineException e) {
            int line =
                    e.getProblemMark().or(e::getContextMark).map(Mark::getLine).orElse(0) + 1;
            faults.add(line, "not valid YAML: " + e.getProblem() + hint(text, line));
        } catch (ReaderException e) {
            int at = Math.min(e.getPosition(), text.length());
            faults.add(lineOf(text, at), "a character that YAML does not allow");
        } catch (YamlEngineException e) {
            faults.add(1, "not valid YAML");
        }
        return Optional.empty();
    }

    private static boolean tooDeep(String text, Faults faults) {
        int depth = 0;
        for (Event event : new Parse(SETTINGS).parseString(text)) {
            if (event instanceof CollectionStartEvent && ++depth > DEPTH_MAX) {
                faults.add(lineOf(event), "nested deeper than " + DEPTH_MAX + " levels");
                return true;
            } else if (event instanceof CollectionEndEvent) {
                depth--;
            }
        }
        return false;
    }

    // An unquoted ${ENV:X} between { } is the one mistake of syntax that the file's own notation invites.
    private static String hint(String text, int line) {
        boolean reference = text.lines().skip(line - 1L).findFirst().orElse("").contains("${");
        return reference ? "; put quotes around \"${ENV:…}\" between { }" : "";
    }

    private static Optional<String> decode(byte[] content, Faults faults) {
        ByteBuffer in = ByteBuffer.wrap(content);
        CharBuffer out = CharBuffer.allocate(content.length);
        CoderResult result = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .decode(in, out, true);
        String text = out.flip().toString();
        if (result.isError()) {
            faults.add(lineOf(text, text.length()), "not UTF-8");
            return Optional.empty();
        }
        return Optional.of(!text.isEmpty() && text.charAt(0) == BOM ? text.substring(1) : text);
    }

    private static int lineOf(Event event) {
        return event.getStartMark().map(Mark::getLine).orElse(0) + 1;
    }

    private static int lineOf(String text, int end) {
        return 1 + (int) text.substring(0, end).chars().filter(c -> c == '\n').count();
    }
}
