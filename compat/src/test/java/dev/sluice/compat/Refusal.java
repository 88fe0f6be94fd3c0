package dev.sluice.compat;

import dev.sluice.compat.Result.Failed;
import java.util.Locale;

/** Rows of the error table of docs/api.md that a client can meet, and what leads to each. */
enum Refusal {
    QUEUE_FULL(429, "rate_limit_error", "", Group.NARROW, "chat", 1, 1),
    CONCURRENCY_LIMIT_EXCEEDED(429, "rate_limit_error", "", Group.UNQUEUED, "chat", 1, 0),
    QUEUE_TIMEOUT(503, "service_unavailable_error", "", Group.IMPATIENT, "chat", 1, 0),
    NO_CAPACITY(503, "service_unavailable_error", "", Group.OPEN, "switched-off", 0, 0),
    MODEL_NOT_FOUND(404, "invalid_request_error", "model", Group.OPEN, "nowhere", 0, 0),
    INVALID_API_KEY(401, "authentication_error", "", Group.OPEN, "chat", 0, 0),
    INVALID_HEADER(400, "invalid_request_error", "x-sluice-priority", Group.OPEN, "chat", 0, 0),
    HEADERS_TOO_LARGE(431, "invalid_request_error", "", Group.OPEN, "chat", 0, 0),
    AMOUNT_UNSATISFIABLE(400, "invalid_request_error", "", Group.UNQUEUED, "heavy", 0, 0),
    INVALID_REQUEST(400, "invalid_request_error", "stop", Group.OPEN, "chat", 0, 0),
    REQUEST_TOO_LARGE(413, "invalid_request_error", "", Group.OPEN, "chat", 0, 0),
    MODEL_NOT_ALLOWED(403, "permission_error", "model", Group.VISITORS, "hold", 0, 0),
    UPSTREAM_ERROR(502, "api_error", "", Group.OPEN, "broken", 0, 0);

    // Far above the limit, so that the refusal comes while the client still sends.
    private static final int LARGE = 2 << 20;
    private static final int LARGE_HEADER = 40 << 10;

    private final int status;
    private final String type;
    private final String param;
    private final Group group;
    private final String model;
    private final int running;
    private final int waiting;

    Refusal(int status, String type, String param, Group group, String model, int running, int waiting) {
        this.status = status;
        this.type = type;
        this.param = param;
        this.group = group;
        this.model = model;
        this.running = running;
        this.waiting = waiting;
    }

    int status() {
        return status;
    }

    /** Whether the answer says when to come back. */
    boolean saysWhenToRetry() {
        return status == 429 || status == 503;
    }

    Ask ask() {
        Ask plain = Ask.of(group.key(), model);
        return switch (this) {
            case INVALID_API_KEY -> Ask.of("sk-a-key-that-nobody-was-ever-given-0000", model);
            case INVALID_HEADER -> plain.header("x-sluice-priority", "urgent");
            case HEADERS_TOO_LARGE -> plain.header("x-long", "y".repeat(LARGE_HEADER));
            case INVALID_REQUEST -> plain.withWrongStop();
            case REQUEST_TOO_LARGE -> plain.prompt("y".repeat(LARGE));
            default -> plain;
        };
    }

    /** Fills the group's limit and its queue as far as this refusal needs it. */
    Holders arrange(CompatGateway gateway) {
        return gateway.hold(group, running, waiting);
    }

    Failed as(String kind) {
        return new Failed(kind, status, name().toLowerCase(Locale.ROOT), type, param);
    }
}
