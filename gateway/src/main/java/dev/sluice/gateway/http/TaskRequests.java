package dev.sluice.gateway.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** {@code GET} and {@code DELETE /v1/tasks/{id}}, {@code GET /v1/tasks/{id}/events}. */
final class TaskRequests {
    static final String PATH = "/v1/tasks/";
    private static final String ROUTE = PATH + "{id}";
    private static final String EVENTS = "/events";
    private static final String LAST_EVENT_ID = "last-event-id";
    private static final int UUID_LENGTH = 36;
    private static final CharSequence APPLICATION_JSON = HttpHeaders.createOptimized("application/json");
    private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");

    private final Dialect dialect;

    TaskRequests(Dialect dialect) {
        this.dialect = dialect;
    }

    void accept(Lane lane, HttpServerRequest request, String path) {
        String below = path.substring(PATH.length());
        boolean events = below.endsWith(EVENTS);
        String allowed = events ? "GET" : "GET, DELETE";
        Optional<Tenant> tenant = lane.switchboard().keyring().tenant(request.headers(), lane.sha256());
        Optional<AsyncTasks> tasks = lane.shared().tasks();
        Optional<UUID> task = task(below.substring(0, below.length() - (events ? EVENTS.length() : 0)));
        boolean get = request.method().equals(HttpMethod.GET);
        if (!get && (events || !request.method().equals(HttpMethod.DELETE))) {
            request.response().putHeader(HttpHeaders.ALLOW, allowed);
            refuse(lane, request, Problems.methodNotAllowed(allowed));
        } else if (tenant.isEmpty()) {
            refuse(lane, request, Problems.unknownKey());
        } else if (tasks.isEmpty() || task.isEmpty()) {
            refuse(lane, request, Problems.unknownTask());
        } else {
            String group = tenant.get().group().id();
            AsyncTasks kept = tasks.get();
            if (events && lane.draining()) {
                refuse(lane, request, Refusals.shuttingDown());
                return;
            }
            if (events) {
                String last = Objects.requireNonNullElse(request.getHeader(LAST_EVENT_ID), "");
                answer(lane, request, kept.follow(task.get(), group, last), chronicle -> {
                    lane.shared().telemetry().route(ROUTE + EVENTS).ended(200);
                    new Follower(lane, request, chronicle).start();
                });
                return;
            }
            answer(lane, request, get ? kept.show(task.get(), group) : kept.cancel(task.get(), group), shown -> {
                lane.shared().telemetry().route(ROUTE).ended(200);
                request.response()
                        .putHeader(HttpHeaders.CONTENT_TYPE, APPLICATION_JSON)
                        .putHeader(HttpHeaders.CACHE_CONTROL, NO_STORE)
                        .end(shown);
            });
        }
    }

    private static Optional<UUID> task(String text) {
        try {
            return text.length() == UUID_LENGTH ? Optional.of(UUID.fromString(text)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private <T> void answer(
            Lane lane, HttpServerRequest request, CompletionStage<Optional<T>> later, Consumer<T> then) {
        later.whenComplete((found, outage) -> lane.run(() -> {
            if (outage != null) {
                refuse(
                        lane,
                        request,
                        outage instanceof RuntimeException ? Problems.internal() : Refusals.unavailable());
            } else if (found.isEmpty()) {
                refuse(lane, request, Problems.unknownTask());
            } else if (!request.response().closed()) {
                then.accept(found.get());
            }
        }));
    }

    private void refuse(Lane lane, HttpServerRequest request, Problem problem) {
        lane.shared().telemetry().route(ROUTE).ended(problem.fault().status());
        ProblemReply.send(lane, request, dialect, problem);
    }
}
