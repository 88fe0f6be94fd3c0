package dev.sluice.gateway.upstream;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A tool that a request offers. The simulated model calls it with arguments made from its schema. */
record SimulatedTool(String name, JsonNode schema) {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int DEPTH_MAX = 5;
    private static final int PIECE_LENGTH = 4;

    /** @param arguments the pieces of a JSON object, each taken for a token */
    record Call(String key, String name, List<String> arguments) {
        String whole() {
            return String.join("", arguments);
        }
    }

    Call call(RandomGenerator random) {
        return new Call(Long.toHexString(random.nextLong()), name, pieces(schema, random));
    }

    /** A JSON value that fits {@code schema}, in pieces. */
    static List<String> pieces(JsonNode schema, RandomGenerator random) {
        String json = JSON.writeValueAsString(value(schema, random, 0));
        List<String> pieces = new ArrayList<>();
        for (int from = 0; from < json.length(); from += PIECE_LENGTH) {
            pieces.add(json.substring(from, Math.min(json.length(), from + PIECE_LENGTH)));
        }
        return pieces;
    }

    private static JsonNode value(JsonNode schema, RandomGenerator random, int depth) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        JsonNode choices = schema.path("enum");
        if (choices.isArray() && !choices.isEmpty()) {
            return choices.get(random.nextInt(choices.size()));
        }
        return switch (schema.path("type").asString(depth == 0 ? "object" : "string")) {
            case "object" -> object(schema, random, depth);
            case "array" ->
                depth >= DEPTH_MAX
                        ? nodes.arrayNode()
                        : nodes.arrayNode().add(value(schema.path("items"), random, depth + 1));
            case "integer" -> nodes.numberNode(random.nextInt(100));
            case "number" -> nodes.numberNode(random.nextInt(200) / 2.0);
            case "boolean" -> nodes.booleanNode(random.nextBoolean());
            case "null" -> nodes.nullNode();
            default -> nodes.stringNode(SimulatedText.word(random));
        };
    }

    private static ObjectNode object(JsonNode schema, RandomGenerator random, int depth) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        if (depth < DEPTH_MAX) {
            schema.path("properties")
                    .forEachEntry((name, property) -> object.set(name, value(property, random, depth + 1)));
        }
        return object;
    }
}
