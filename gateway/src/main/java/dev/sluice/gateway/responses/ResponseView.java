package dev.sluice.gateway.responses;

import dev.sluice.postgres.responses.StoredResponse;
import dev.sluice.postgres.tasks.StoredTask;
import dev.sluice.postgres.tasks.StoredTask.Answer;
import dev.sluice.postgres.tasks.StoredTask.Failure;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The response object as it is now: the answer, or what there is to say while there is none. */
final class ResponseView {
    private ResponseView() {}

    static ObjectNode of(StoredResponse response) {
        ObjectNode kept = Json.object(response.body()).orElseGet(Json::object);
        if (response.task().isEmpty()) {
            return kept.put("id", response.id());
        }
        return of(kept, response.id(), response.task().get());
    }

    /** As it was when its task was filed, which may have begun by now. */
    static ObjectNode queued(StoredResponse response) {
        return Json.object(response.body())
                .orElseGet(Json::object)
                .put("id", response.id())
                .put("status", "queued");
    }

    private static ObjectNode of(ObjectNode shown, String id, StoredTask task) {
        shown.put("id", id);
        Optional<ObjectNode> answer = task.response().map(Answer::body).flatMap(Json::object);
        return switch (task.state()) {
            case QUEUED -> shown.put("status", "queued");
            case RUNNING -> shown.put("status", "in_progress");
            case CANCELLED -> shown.put("status", "cancelled");
            case SUCCEEDED ->
                answer.filter(ResponseObject::hasEnded)
                        .orElseGet(() -> ResponseObject.failed(
                                shown,
                                "upstream_error",
                                answer.isEmpty()
                                        ? "The upstream's answer is not a JSON object."
                                        : "The upstream's answer does not say how the response ended."));
            case FAILED -> {
                JsonNode said = answer.<JsonNode>map(root -> root.path("error")).orElseGet(Json::object);
                Failure failure = task.failure().orElseThrow();
                yield ResponseObject.failed(
                        shown,
                        said.path("code").asString(failure.code()),
                        said.path("message").asString(failure.message()));
            }
        };
    }
}
