package dev.sluice.gateway.translation;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Trees in and out of bytes; numbers keep all their digits. */
final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private Json() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** An object whose first field says what it is. */
    static ObjectNode typed(String type) {
        return object().put("type", type);
    }

    static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    static JsonNode read(byte[] bytes) {
        return MAPPER.readTree(bytes);
    }

    static JsonNode read(String text) {
        return MAPPER.readTree(text);
    }

    /** The data of one event of a stream. */
    static JsonNode event(String data) throws BrokenAnswer {
        try {
            return read(data);
        } catch (JacksonException e) {
            throw new BrokenAnswer("an event of its stream is not JSON", e);
        }
    }

    static String write(JsonNode node) {
        return MAPPER.writeValueAsString(node);
    }

    static byte[] bytes(JsonNode node) {
        return MAPPER.writeValueAsBytes(node);
    }

    /** Whether there is a value; {@code null} stands for a field that was left out. */
    static boolean present(JsonNode node) {
        return !node.isMissingNode() && !node.isNull();
    }

    /**
     * Empty if it was left out.
     *
     * @throws BrokenAnswer if it is anything but a string: its content would get lost
     */
    static String string(JsonNode node, String field) throws BrokenAnswer {
        return present(node) ? required(node, field) : "";
    }

    static String required(JsonNode node, String field) throws BrokenAnswer {
        if (!node.isString()) {
            throw new BrokenAnswer("its '" + field + "' is no string");
        }
        return node.stringValue();
    }

    /** Of what would be called, as a tool without a name cannot be. */
    static String name(JsonNode node) throws BrokenAnswer {
        String name = required(node, "name");
        if (name.isEmpty()) {
            throw new BrokenAnswer("its call of a tool has no name");
        }
        return name;
    }

    /** Empty if it is no string. */
    static String text(JsonNode node) {
        return node.isString() ? node.stringValue() : "";
    }
}
