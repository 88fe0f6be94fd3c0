package dev.sluice.gateway.files;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** One page of a list, in the shape that all lists of the OpenAI API have. */
public final class Page {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Page() {}

    /**
     * @param found more than {@code limit} if the list goes on after this page
     * @param node an item with its {@code id}
     */
    public static <T> Buffer of(List<T> found, int limit, Function<T, ObjectNode> node) {
        ArrayNode data = JsonNodeFactory.instance.arrayNode();
        found.stream().limit(limit).forEach(item -> data.add(node.apply(item)));
        ObjectNode list = JsonNodeFactory.instance.objectNode().put("object", "list");
        list.set("data", data);
        list.set("first_id", id(data, 0));
        list.set("last_id", id(data, data.size() - 1));
        return Buffer.buffer(JSON.writeValueAsBytes(list.put("has_more", found.size() > limit)));
    }

    private static JsonNode id(ArrayNode data, int at) {
        return data.isEmpty()
                ? JsonNodeFactory.instance.nullNode()
                : data.get(at).path("id");
    }
}
