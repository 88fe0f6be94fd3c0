package dev.sluice.gateway.upstream;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The fields of a request to the simulated server, with its complaints. */
record SimulatedFields(JsonNode root) {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int CHARACTERS_PER_TOKEN = 4;
    private static final Map<String, String> ECHOED = new TreeMap<>(Map.ofEntries(
            Map.entry("instructions", "null"),
            Map.entry("max_output_tokens", "null"),
            Map.entry("metadata", "{}"),
            Map.entry("parallel_tool_calls", "true"),
            Map.entry("reasoning", "{\"effort\":null,\"summary\":null}"),
            Map.entry("temperature", "1.0"),
            Map.entry("text", "{\"format\":{\"type\":\"text\"}}"),
            Map.entry("tool_choice", "\"auto\""),
            Map.entry("tools", "[]"),
            Map.entry("top_p", "1.0"),
            Map.entry("truncation", "\"disabled\"")));

    static SimulatedFields parse(byte[] body) throws SimulatedRefusal {
        JsonNode root;
        try {
            root = JSON.readTree(body);
        } catch (JacksonException e) {
            throw new SimulatedRefusal("", "The body is not valid JSON.", e);
        }
        if (!root.isObject()) {
            throw new SimulatedRefusal("", "The body must be a JSON object.");
        }
        return new SimulatedFields(root);
    }

    String model() throws SimulatedRefusal {
        JsonNode model = root.path("model");
        if (!model.isString() || model.stringValue().isEmpty()) {
            throw new SimulatedRefusal("model", "You must provide a model parameter.");
        }
        return model.stringValue();
    }

    JsonNode messages() throws SimulatedRefusal {
        JsonNode messages = root.path("messages");
        if (!messages.isArray() || messages.isEmpty()) {
            throw new SimulatedRefusal("messages", "'messages' must be a non-empty array.");
        }
        for (JsonNode message : messages) {
            if (!message.path("role").isString()) {
                throw new SimulatedRefusal("messages", "Each message needs a role.");
            }
        }
        return messages;
    }

    void oneChoice() throws SimulatedRefusal {
        if (root.has("n") && root.path("n").asInt(0) != 1) {
            throw new SimulatedRefusal("n", "The simulated model gives one choice.");
        }
    }

    boolean flag(String name) throws SimulatedRefusal {
        return flag(root, name);
    }

    static boolean flag(JsonNode parent, String name) throws SimulatedRefusal {
        JsonNode value = parent.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return false;
        }
        if (!value.isBoolean()) {
            throw new SimulatedRefusal(name, "'" + name + "' must be a boolean.");
        }
        return value.booleanValue();
    }

    /** The first of {@code names} that is there. */
    OptionalInt count(String... names) throws SimulatedRefusal {
        for (String name : names) {
            JsonNode value = root.path(name);
            if (value.isMissingNode() || value.isNull()) {
                continue;
            }
            if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 1) {
                throw new SimulatedRefusal(name, "'" + name + "' must be an integer of at least 1.");
            }
            return OptionalInt.of(value.intValue());
        }
        return OptionalInt.empty();
    }

    /** What a response object repeats of its request, with the API's defaults for what was left out. */
    String echoed() {
        StringBuilder echoed = new StringBuilder();
        ECHOED.forEach((name, otherwise) -> {
            JsonNode value = root.path(name);
            boolean absent = value.isMissingNode() || value.isNull();
            echoed.append(echoed.isEmpty() ? "\"" : ",\"")
                    .append(name)
                    .append("\":")
                    .append(absent ? otherwise : JSON.writeValueAsString(value));
        });
        return echoed.toString();
    }

    /** A string, or up to {@code most} strings, none of them empty. */
    List<String> sequences(String name, int most) throws SimulatedRefusal {
        JsonNode value = root.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return List.of();
        }
        List<String> sequences = new ArrayList<>();
        if (value.isString()) {
            sequences.add(value.stringValue());
        } else if (value.isArray() && value.size() <= most) {
            for (JsonNode item : value) {
                if (!item.isString()) {
                    throw new SimulatedRefusal(name, "'" + name + "' must hold strings.");
                }
                sequences.add(item.stringValue());
            }
        } else {
            throw new SimulatedRefusal(name, "'" + name + "' must be a string or up to " + most + " strings.");
        }
        if (sequences.contains("")) {
            throw new SimulatedRefusal(name, "'" + name + "' must not be empty.");
        }
        return sequences;
    }

    /** A quarter of the characters of all texts below {@code nodes}, rounded up, at least 1. */
    static int tokens(Iterable<JsonNode> nodes) {
        long characters = 0;
        for (JsonNode node : nodes) {
            characters += characters(node);
        }
        return (int) Math.max(1, (characters + CHARACTERS_PER_TOKEN - 1) / CHARACTERS_PER_TOKEN);
    }

    private static long characters(JsonNode content) {
        if (content.isString()) {
            return content.stringValue().length();
        }
        if (content.isIntegralNumber()) {
            return CHARACTERS_PER_TOKEN;
        }
        long sum = 0;
        if (content.isArray()) {
            for (JsonNode part : content) {
                sum += part.isObject()
                        ? characters(part.path("text")) + characters(part.path("content"))
                        : characters(part);
            }
        }
        return sum;
    }
}
