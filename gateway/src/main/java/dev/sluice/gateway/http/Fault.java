package dev.sluice.gateway.http;

import java.util.Locale;

/** The rows of the error table of docs/api.md: what a client's error classes are chosen by. */
public enum Fault {
    QUEUE_FULL(429, "rate_limit_error"),
    CONCURRENCY_LIMIT_EXCEEDED(429, "rate_limit_error"),
    RATE_LIMIT_EXCEEDED(429, "rate_limit_error"),
    QUEUE_TIMEOUT(503, "service_unavailable_error"),
    NO_CAPACITY(503, "service_unavailable_error"),
    SHUTTING_DOWN(503, "service_unavailable_error"),
    ADMISSION_UNAVAILABLE(503, "service_unavailable_error"),
    BUFFERS_FULL(503, "service_unavailable_error"),
    EVICTED(503, "service_unavailable_error"),
    UPSTREAM_ERROR(502, "api_error"),
    UPSTREAM_TIMEOUT(504, "api_error"),
    INTERNAL_ERROR(500, "api_error"),
    MODEL_NOT_FOUND(404, "invalid_request_error"),
    NOT_FOUND(404, "invalid_request_error"),
    METHOD_NOT_ALLOWED(405, "invalid_request_error"),
    UNSUPPORTED_MEDIA_TYPE(415, "invalid_request_error"),
    INVALID_API_KEY(401, "authentication_error"),
    MODEL_NOT_ALLOWED(403, "permission_error"),
    INVALID_REQUEST(400, "invalid_request_error"),
    PREVIOUS_RESPONSE_NOT_FOUND(400, "invalid_request_error"),
    INVALID_HEADER(400, "invalid_request_error"),
    AMOUNT_UNSATISFIABLE(400, "invalid_request_error"),
    REQUEST_TIMEOUT(408, "invalid_request_error"),
    REQUEST_TOO_LARGE(413, "invalid_request_error"),
    HEADERS_TOO_LARGE(431, "invalid_request_error"),
    SUPERSEDED(409, "conflict_error"),
    IDEMPOTENCY_IN_PROGRESS(409, "conflict_error"),
    IDEMPOTENCY_MISMATCH(422, "conflict_error"),
    WRONG_STATE(409, "conflict_error"),
    QUOTA_EXCEEDED(403, "permission_error");

    private final int status;
    private final String type;

    Fault(int status, String type) {
        this.status = status;
        this.type = type;
    }

    public int status() {
        return status;
    }

    public String type() {
        return type;
    }

    /** The word in the error's {@code code}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
