package dev.sluice.gateway.responses;

import dev.sluice.gateway.http.KeptAnswers.Page;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The list of what a response is an answer to, in the API's form. */
final class InputItems {
    private InputItems() {}

    /**
     * Empty if the item is unknown that the page is to follow.
     *
     * @param id of the response
     */
    static Optional<ObjectNode> list(String id, ArrayNode input, Page page) {
        List<ObjectNode> items = new ArrayList<>();
        for (int i = 0; i < input.size(); i++) {
            if (input.get(i) instanceof ObjectNode item) {
                items.add(complete(item, id, i));
            }
        }
        if (!page.ascending()) {
            Collections.reverse(items);
        }
        int from = page.after()
                .map(known -> items.stream().map(InputItems::id).toList().indexOf(known) + 1)
                .orElse(0);
        if (from == 0 && page.after().isPresent()) {
            return Optional.empty();
        }
        int to = Math.min(items.size(), from + page.limit());
        List<ObjectNode> part = items.subList(from, to);
        ArrayNode data = Json.array();
        part.forEach(data::add);
        ObjectNode list = Json.object().put("object", "list");
        list.set("data", data);
        list.put("first_id", part.isEmpty() ? null : id(part.getFirst()))
                .put("last_id", part.isEmpty() ? null : id(part.getLast()))
                .put("has_more", to < items.size());
        return Optional.of(list);
    }

    private static String id(JsonNode item) {
        return item.path("id").asString("");
    }

    /** A client may leave out what the list must say: the type of a message, its parts, an id. */
    private static ObjectNode complete(ObjectNode item, String response, int index) {
        if (!item.path("id").isString()) {
            item.put("id", "item_" + response.substring(response.indexOf('_') + 1) + "_" + index);
        }
        if (!item.path("type").isString()) {
            item.put("type", "message");
        }
        if (item.path("content").isString()) {
            boolean ours = item.path("role").asString("").equals("assistant");
            ObjectNode part = Json.object()
                    .put("type", ours ? "output_text" : "input_text")
                    .put("text", item.path("content").asString());
            if (ours) {
                part.set("annotations", Json.array());
            }
            item.set("content", Json.array().add(part));
        }
        return item;
    }
}
