package dev.sluice.gateway.http;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Placement;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The headers by which an answer says what the gateway did. */
final class Stamp {
    private static final CharSequence X_REQUEST_ID = HttpHeaders.createOptimized("x-request-id");
    private static final CharSequence X_SLUICE_PLATFORM = HttpHeaders.createOptimized("x-sluice-platform");
    private static final CharSequence X_SLUICE_PROVIDER = HttpHeaders.createOptimized("x-sluice-provider");
    private static final CharSequence X_SLUICE_QUEUE_MS = HttpHeaders.createOptimized("x-sluice-queue-ms");
    private static final CharSequence X_SLUICE_PRIORITY = HttpHeaders.createOptimized(Wishes.PRIORITY);

    private Stamp() {}

    /** The task's id, empty if the answer is to no task. */
    static String requestId(HttpServerResponse response) {
        return Objects.requireNonNullElse(response.headers().get(X_REQUEST_ID), "");
    }

    static void on(HttpServerResponse response, UUID task) {
        on(response.headers(), task);
    }

    static void on(MultiMap headers, UUID task) {
        headers.set(X_REQUEST_ID, task.toString());
    }

    /** What a client gets that does not wait. */
    static void accepted(HttpServerResponse response, UUID task) {
        on(response, task);
        response.setStatusCode(202)
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .putHeader(HttpHeaders.LOCATION, TaskRequests.PATH + task)
                .putHeader("preference-applied", "respond-async");
    }

    /** @param admitted null while it waits */
    static void on(HttpServerResponse response, UUID task, int priority, @Nullable Admitted admitted) {
        on(response, task);
        response.putHeader(X_SLUICE_PRIORITY, Integer.toString(priority));
        if (admitted != null) {
            Placement placement = admitted.placement().orElseThrow();
            String platform = placement.platformModel().key();
            response.putHeader(X_SLUICE_PLATFORM, platform.substring(0, platform.indexOf('/')));
            response.putHeader(X_SLUICE_PROVIDER, placement.provider());
            response.putHeader(
                    X_SLUICE_QUEUE_MS, Long.toString(admitted.waited().toMillis()));
        }
    }
}
