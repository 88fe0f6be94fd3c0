package dev.sluice.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProblemTest {
    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "1000, 1", "1001, 2", "59999, 60", "3600000, 60"})
    void retryAfterIsWholeSecondsRoundedUpFrom1To60(long millis, long seconds) {
        assertThat(Problem.of(Fault.QUEUE_FULL, "full")
                        .retryAfter(Duration.ofMillis(millis))
                        .retryAfterSeconds())
                .isEqualTo(seconds);
    }

    @Test
    void withoutAdviceThereIsNone() {
        assertThat(Problem.of(Fault.UPSTREAM_ERROR, "no").retryAfterSeconds()).isZero();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            QUEUE_FULL, 429, rate_limit_error, queue_full
            CONCURRENCY_LIMIT_EXCEEDED, 429, rate_limit_error, concurrency_limit_exceeded
            RATE_LIMIT_EXCEEDED, 429, rate_limit_error, rate_limit_exceeded
            QUEUE_TIMEOUT, 503, service_unavailable_error, queue_timeout
            NO_CAPACITY, 503, service_unavailable_error, no_capacity
            SHUTTING_DOWN, 503, service_unavailable_error, shutting_down
            ADMISSION_UNAVAILABLE, 503, service_unavailable_error, admission_unavailable
            UPSTREAM_ERROR, 502, api_error, upstream_error
            UPSTREAM_TIMEOUT, 504, api_error, upstream_timeout
            MODEL_NOT_FOUND, 404, invalid_request_error, model_not_found
            INVALID_API_KEY, 401, authentication_error, invalid_api_key
            INVALID_REQUEST, 400, invalid_request_error, invalid_request
            REQUEST_TOO_LARGE, 413, invalid_request_error, request_too_large
            HEADERS_TOO_LARGE, 431, invalid_request_error, headers_too_large
            NOT_FOUND, 404, invalid_request_error, not_found
            METHOD_NOT_ALLOWED, 405, invalid_request_error, method_not_allowed
            UNSUPPORTED_MEDIA_TYPE, 415, invalid_request_error, unsupported_media_type
            INVALID_HEADER, 400, invalid_request_error, invalid_header
            AMOUNT_UNSATISFIABLE, 400, invalid_request_error, amount_unsatisfiable
            MODEL_NOT_ALLOWED, 403, permission_error, model_not_allowed
            SUPERSEDED, 409, conflict_error, superseded
            IDEMPOTENCY_IN_PROGRESS, 409, conflict_error, idempotency_in_progress
            IDEMPOTENCY_MISMATCH, 422, conflict_error, idempotency_mismatch
            EVICTED, 503, service_unavailable_error, evicted
            """)
    void theTableIsTheContracts(Fault fault, int status, String type, String code) {
        assertThat(fault.status()).isEqualTo(status);
        assertThat(fault.type()).isEqualTo(type);
        assertThat(fault.code()).isEqualTo(code);
    }
}
