package dev.sluice.gateway.admin;

import dev.sluice.postgres.deadletters.DeadLetter;
import dev.sluice.postgres.deadletters.DeadLetterStore;
import dev.sluice.postgres.deadletters.DeadLetterStore.Retry;
import io.vertx.core.Context;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What failed for good, shown to operators and tried again at their word: {@code [/{id}/retry]}. */
final class DeadLetterOrders {
    static final String PATH = "/admin/dead-letters";
    private static final String RETRY = "/retry";

    private final Optional<DeadLetterStore> store;

    /** @param store empty if nothing is kept */
    DeadLetterOrders(Optional<DeadLetterStore> store) {
        this.store = store;
    }

    static boolean handles(String path) {
        return path.equals(PATH) || path.startsWith(PATH + "/");
    }

    void accept(Context loop, HttpServerRequest request, String path) {
        Optional<UUID> retried = path.startsWith(PATH + "/") && path.endsWith(RETRY)
                ? AdminPlane.task(
                        path.substring(PATH.length() + 1, Math.max(PATH.length() + 1, path.length() - RETRY.length())))
                : Optional.empty();
        boolean list = path.equals(PATH);
        HttpMethod method = list ? HttpMethod.GET : HttpMethod.POST;
        if (!list && retried.isEmpty()) {
            unknown(request);
        } else if (!request.method().equals(method)) {
            AdminPlane.refuseMethod(request, method.name());
        } else if (list) {
            AdminPlane.limit(request).ifPresent(limit -> list(loop, request, limit));
        } else if (store.isEmpty()) {
            unknown(request);
        } else {
            UUID id = retried.orElseThrow();
            DeadLetterStore kept = store.get();
            later(loop, request, () -> kept.retry(id), outcome -> answer(request, id, outcome));
        }
    }

    private void list(Context loop, HttpServerRequest request, int limit) {
        Optional<String> group = Optional.of(request.getParam("group", "")).filter(id -> !id.isEmpty());
        // No group is called so, and PostgreSQL takes no such text.
        if (store.isEmpty() || group.filter(id -> id.indexOf('\0') >= 0).isPresent()) {
            AdminPlane.json(request, 200, json(List.of()));
            return;
        }
        DeadLetterStore kept = store.get();
        later(loop, request, () -> kept.list(group, limit), letters -> AdminPlane.json(request, 200, json(letters)));
    }

    private static ObjectNode json(List<DeadLetter> letters) {
        ObjectNode root = LedgerView.object();
        ArrayNode list = root.putArray("dead_letters");
        for (DeadLetter letter : letters) {
            ObjectNode item = list.addObject()
                    .put("id", letter.id().toString())
                    .put("kind", letter.webhook().isPresent() ? "webhook" : "task")
                    .put("task", letter.task().toString())
                    .put("group", letter.group())
                    .put("model", letter.model().orElse(null))
                    .put("webhook", letter.webhook().orElse(null))
                    .put("code", letter.code())
                    .put("message", letter.message())
                    .put("attempts", letter.attempts())
                    .put("at", letter.at().truncatedTo(ChronoUnit.MILLIS).toString())
                    .put("retryable", letter.retryable());
            if (letter.status().isPresent()) {
                item.put("status", letter.status().getAsInt());
            } else {
                item.putNull("status");
            }
        }
        return root;
    }

    private static void answer(HttpServerRequest request, UUID id, Retry outcome) {
        switch (outcome) {
            case DONE -> AdminPlane.json(request, 200, LedgerView.done(id, "queued"));
            case UNKNOWN -> unknown(request);
            case NOT_FAILED ->
                AdminPlane.refuse(
                        request,
                        409,
                        "conflict_error",
                        "wrong_state",
                        "It did not fail for good: it waits, runs, has succeeded or was cancelled.");
            case NOT_KEPT ->
                AdminPlane.refuse(
                        request,
                        409,
                        "conflict_error",
                        "request_not_kept",
                        "The request of this task was deleted; only whoever sent it can send it again.");
        }
    }

    private static void unknown(HttpServerRequest request) {
        AdminPlane.refuse(
                request,
                404,
                "invalid_request_error",
                "not_found",
                "There is no dead letter of this id, or its time to be kept is over. POST /admin/dead-letters/{id}/retry"
                        + " takes an id that GET /admin/dead-letters shows.");
    }

    /** On a thread of its own: the admin plane's loop serves others too. */
    private static <T> void later(Context loop, HttpServerRequest request, Callable<T> work, Consumer<T> then) {
        loop.executeBlocking(work, false).onSuccess(then::accept).onFailure(outage -> AdminPlane.unavailable(request));
    }
}
