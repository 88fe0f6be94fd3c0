package dev.sluice.gateway.responses;

import dev.sluice.gateway.tasks.KeptTasks;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The response object of the API, as far as the gateway itself makes or changes one. */
final class ResponseObject {
    private static final String PREFIX = "resp_";
    private static final Set<String> NOT_REPEATED = Set.of("input", "stream", "stream_options", "include");
    private static final Set<String> FINAL = Set.of("completed", "incomplete", "failed", "cancelled");
    private static final List<String> NULL_AT_FIRST = List.of(
            "error", "incomplete_details", "instructions", "max_output_tokens", "previous_response_id", "usage");

    private ResponseObject() {}

    /** The id of the response that {@code task} makes. */
    static String id(UUID task) {
        return KeptTasks.responseId(task);
    }

    /** The id that a stream has which failed before its upstream named one. */
    static String id(String requestId) {
        return PREFIX + (requestId.isEmpty() ? "none" : requestId.replace("-", ""));
    }

    /** An object that says nothing yet, with the API's defaults. */
    static ObjectNode empty(String id, String model, long createdSeconds) {
        ObjectNode object = Json.object()
                .put("id", id)
                .put("object", "response")
                .put("created_at", createdSeconds)
                .put("status", "in_progress")
                .put("background", false)
                .put("model", model)
                .put("parallel_tool_calls", true)
                .put("tool_choice", "auto")
                .put("temperature", 1.0)
                .put("top_p", 1.0)
                .put("truncation", "disabled")
                .put("store", true);
        NULL_AT_FIRST.forEach(object::putNull);
        object.set("output", Json.array());
        object.set("tools", Json.array());
        object.set("metadata", Json.object());
        return object;
    }

    /** The object of a response that waits to be made, with what {@code request} asks for; still without an id. */
    static ObjectNode queued(ObjectNode request, String model, long createdSeconds) {
        ObjectNode object = empty("", model, createdSeconds);
        Map<String, JsonNode> asked = new TreeMap<>();
        request.forEachEntry(asked::put);
        asked.forEach((name, value) -> {
            if (!NOT_REPEATED.contains(name) && !value.isNull()) {
                object.set(name, value);
            }
        });
        return object.put("status", "queued").put("background", true).put("store", true);
    }

    static ObjectNode failed(ObjectNode object, String code, String message) {
        object.set("error", Json.object().put("code", code).put("message", message));
        return object.put("status", "failed");
    }

    /** @param status what it is taken to say where it says nothing */
    static ObjectNode ended(ObjectNode answer, String status) {
        return answer.hasNonNull("status") ? answer : answer.put("status", status);
    }

    /** Whether the object says how it ended: whoever asks again until then must come to an end. */
    static boolean hasEnded(JsonNode object) {
        return FINAL.contains(object.path("status").asString(""));
    }

    /** Whether the object says how an answer ended that can be gone on from. */
    static boolean isAnswer(JsonNode object) {
        String status = object.path("status").asString("");
        return status.equals("completed") || status.equals("incomplete");
    }
}
