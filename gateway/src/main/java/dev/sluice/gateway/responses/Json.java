package dev.sluice.gateway.responses;

import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Trees in and out of bytes; numbers keep all their digits. */
final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private Json() {}

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    /** Empty if it is not a JSON object. */
    static Optional<ObjectNode> object(byte[] bytes) {
        try {
            return MAPPER.readTree(bytes) instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** Empty if it is not a JSON array. */
    static Optional<ArrayNode> array(byte[] bytes) {
        try {
            return MAPPER.readTree(bytes) instanceof ArrayNode array ? Optional.of(array) : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    static byte[] bytes(JsonNode node) {
        return MAPPER.writeValueAsBytes(node);
    }

    /** A server-sent event whose name is the type in its data. */
    static Buffer event(ObjectNode data) {
        return Buffer.buffer("event: " + data.path("type").asString("") + "\ndata: ")
                .appendBytes(bytes(data))
                .appendString("\n\n");
    }
}
