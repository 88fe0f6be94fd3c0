package dev.sluice.gateway.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * One mapping of the file. Readers take from it what they know; {@link #close} then refuses what is left, so a key
 * that nobody asked for cannot be overlooked.
 */
final class Section implements AutoCloseable {
    private static final Set<String> NOTHING = Set.of("", "~", "null");

    private final Reading reading;
    private final String where;
    private final String pattern;
    private final int line;
    private final Map<String, Node> given = new LinkedHashMap<>();
    private final Map<String, Integer> lines = new HashMap<>();
    private final Set<String> known = new LinkedHashSet<>();

    private Section(Reading reading, MappingNode node, String where, String pattern) {
        this.reading = reading;
        this.where = where;
        this.pattern = pattern;
        this.line = lineOf(node);
        node.getValue().forEach(this::take);
    }

    /** The file as a whole; empty when its root is no mapping. */
    static Optional<Section> root(Reading reading, Node node) {
        return mapping(reading, node, "", "", "the file");
    }

    Reading reading() {
        return reading;
    }

    int line() {
        return line;
    }

    boolean has(String key) {
        return given.containsKey(key);
    }

    /** The line of a given key, otherwise that of the section. */
    int line(String key) {
        return lines.getOrDefault(key, line);
    }

    void fault(String key, String complaint) {
        reading.fault(line(key), "`" + key + "` " + complaint);
    }

    void missing(String key) {
        reading.fault(line, "`" + key + "` is missing" + (where.isEmpty() ? "" : " in `" + where + "`"));
    }

    /** Refuses a key that exists but has no place here. */
    void misplaced(String key, String complaint) {
        known.add(key);
        if (has(key)) {
            fault(key, complaint);
        }
    }

    /** Lets keys stand that cannot be judged, since a fault elsewhere decides what they mean. */
    void unjudged(String... keys) {
        known.addAll(List.of(keys));
    }

    /** The scalar of a key; empty when it is absent or no scalar. */
    Optional<Value> value(String key, String defaultText) {
        return node(key, defaultText).flatMap(node -> scalar(key, node));
    }

    Optional<Section> section(String key, String defaultText) {
        return node(key, defaultText)
                .flatMap(node -> mapping(reading, node, at(key), pattern + key + ".", "`" + key + "`"));
    }

    /** What a section says that may be left out as a whole. */
    <T> T settings(String key, T byDefault, Function<Section, T> read) {
        Optional<Section> given = section(key, "all defaults");
        if (given.isEmpty()) {
            return byDefault;
        }
        try (Section section = given.get()) {
            return read.apply(section);
        }
    }

    List<Section> sections(String key, String defaultText) {
        List<Section> sections = new ArrayList<>();
        int index = 0;
        for (Node item : items(key, defaultText)) {
            String itemAt = at(key) + "[" + index++ + "]";
            mapping(reading, item, itemAt, pattern + key + "[].", "an item of `" + key + "`")
                    .ifPresent(sections::add);
        }
        return sections;
    }

    List<Value> values(String key, String defaultText) {
        List<Value> values = new ArrayList<>();
        items(key, defaultText).forEach(item -> scalar(key, item).ifPresent(values::add));
        return values;
    }

    @Override
    public void close() {
        for (String key : given.keySet()) {
            if (!known.contains(key)) {
                String near = Nearest.hint(key, known);
                String hint = near.isEmpty() ? "; known here: " + String.join(", ", known) : near;
                reading.fault(
                        line(key),
                        "unknown key `" + Value.of(key, key, key, line).shown() + "`" + hint);
            }
        }
    }

    private void take(NodeTuple tuple) {
        int keyLine = lineOf(tuple.getKeyNode());
        if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
            reading.fault(keyLine, "a key must be a single word");
            return;
        }
        Integer first = lines.putIfAbsent(key.getValue(), keyLine);
        if (first != null) {
            reading.fault(keyLine, "duplicate key `" + key.getValue() + "`, first in line " + first);
        } else if (key.getValue().equals("<<")) {
            reading.fault(keyLine, "merge keys (`<<`) are not supported; use an alias for a whole section");
        } else {
            given.put(key.getValue(), tuple.getValueNode());
        }
    }

    private Optional<Node> node(String key, String defaultText) {
        known.add(key);
        reading.know(pattern + key, defaultText);
        Optional<Node> node = Optional.ofNullable(given.get(key));
        if (node.filter(Section::isNothing).isPresent()) {
            fault(key, "has no value; leave the key out for its default");
            return Optional.empty();
        }
        return node;
    }

    private List<Node> items(String key, String defaultText) {
        Optional<Node> node = node(key, defaultText);
        if (node.isEmpty()) {
            return List.of();
        }
        if (!(node.get() instanceof SequenceNode sequence)) {
            fault(key, "must be a list, but is " + kind(node.get()));
            return List.of();
        }
        if (sequence.getValue().isEmpty()) {
            fault(key, "is an empty list");
        }
        return sequence.getValue().stream()
                .takeWhile(item -> reading.mayRead(lineOf(item)))
                .toList();
    }

    private Optional<Value> scalar(String key, Node node) {
        refuseTag(reading, node);
        if (!(node instanceof ScalarNode scalar)) {
            reading.fault(lineOf(node), "`" + key + "` must be a single value, but is " + kind(node));
            return Optional.empty();
        }
        return switch (reading.substitute(scalar.getValue())) {
            case Parsed.Good<String>(String text) ->
                Optional.of(Value.of(key, text, scalar.getValue(), lineOf(scalar)));
            case Parsed.Bad<String>(String complaint) -> {
                reading.fault(lineOf(scalar), "`" + key + "` " + complaint);
                yield Optional.empty();
            }
        };
    }

    private static Optional<Section> mapping(Reading reading, Node node, String where, String pattern, String name) {
        refuseTag(reading, node);
        if (node instanceof MappingNode mapping) {
            return Optional.of(new Section(reading, mapping, where, pattern));
        }
        reading.fault(lineOf(node), name + " must be a mapping of keys and values, but is " + kind(node));
        return Optional.empty();
    }

    // !secret and the like belong to other tools; taken as plain text they would mislead.
    private static void refuseTag(Reading reading, Node node) {
        if (!node.getTag().getValue().startsWith(Tag.PREFIX)) {
            reading.fault(lineOf(node), "tags such as `!name` are not supported");
        }
    }

    private String at(String key) {
        return where.isEmpty() ? key : where + "." + key;
    }

    private static boolean isNothing(Node node) {
        return node instanceof ScalarNode scalar && scalar.isPlain() && NOTHING.contains(scalar.getValue());
    }

    private static String kind(Node node) {
        return switch (node.getNodeType()) {
            case SCALAR -> "a single value";
            case SEQUENCE -> "a list";
            case MAPPING -> "a mapping";
            case ANCHOR -> "an alias";
        };
    }

    private static int lineOf(Node node) {
        return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
    }
}
