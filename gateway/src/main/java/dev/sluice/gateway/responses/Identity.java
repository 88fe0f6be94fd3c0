package dev.sluice.gateway.responses;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What is the gateway's own in a response object, whichever upstream filled in the rest: a client that waits for it must
 * find it under the name it was given.
 *
 * @param shown the object as it was made when the response was asked for
 */
record Identity(String id, ObjectNode shown) {
    private static final List<String> OURS = List.of("created_at", "model", "previous_response_id");

    ObjectNode on(ObjectNode upstream) {
        upstream.put("id", id).put("background", true).put("store", true);
        for (String name : OURS) {
            JsonNode value = shown.get(name);
            if (value != null) {
                upstream.set(name, value);
            }
        }
        return upstream;
    }

    ObjectNode inProgress() {
        return on(shown.deepCopy()).put("status", "in_progress");
    }
}
