package dev.sluice.gateway.http;

import java.time.Duration;
import java.util.Optional;

/** What is wrong with a request before the ledger sees it. */
final class Problems {
    private static final int SHOWN_MAX = 100;

    private Problems() {}

    static Problem unknownKey() {
        return Problem.of(
                        Fault.INVALID_API_KEY,
                        "The API key is missing or unknown. Send it as 'Authorization: Bearer KEY' or 'x-api-key: KEY'.")
                .noRetry();
    }

    static Problem unknownModel(String name) {
        String shown = name.length() <= SHOWN_MAX ? name : name.substring(0, SHOWN_MAX) + "…";
        return Problem.of(
                        Fault.MODEL_NOT_FOUND,
                        "The model '" + shown + "' does not exist. GET /v1/models lists the models.")
                .at("model");
    }

    static Problem modelNotAllowed(String model, String group) {
        return Problem.of(Fault.MODEL_NOT_ALLOWED, "The group '" + group + "' may not use the model '" + model + "'.")
                .at("model");
    }

    /** @param allowed for example {@code GET, DELETE} */
    static Problem methodNotAllowed(String allowed) {
        return Problem.of(Fault.METHOD_NOT_ALLOWED, "This path takes " + allowed.replace(", ", " and ") + " only.");
    }

    static Problem brokenQuery() {
        return Problem.of(Fault.INVALID_REQUEST, "The query is not encoded as a URL must be.");
    }

    static Problem tooLarge(long bodyBytesMax) {
        return Problem.of(
                Fault.REQUEST_TOO_LARGE,
                "The body is larger than " + bodyBytesMax + " bytes, the most this gateway takes. Send a shorter one.");
    }

    static Problem tooLong(long bodyBytesMax) {
        return Problem.of(
                        Fault.REQUEST_TOO_LARGE,
                        "With the response that it goes on from, the request is larger than " + bodyBytesMax
                                + " bytes, the most this gateway takes. Begin anew, or from an earlier response.")
                .at("previous_response_id");
    }

    static Problem buffersFull() {
        return Problem.of(
                        Fault.BUFFERS_FULL,
                        "The gateway holds as many request bodies as it may. Retry after the time in Retry-After.")
                .retryAfter(Duration.ofSeconds(1));
    }

    static Problem bodyTooSlow(Duration most) {
        return Problem.of(Fault.REQUEST_TIMEOUT, "The body did not arrive within " + most.toSeconds() + " s.");
    }

    static Problem brokenBody() {
        return Problem.of(Fault.INVALID_REQUEST, "The body breaks the rules of chunked transfer. Send it again.");
    }

    /** Why an answer of this status is none that can be passed on. */
    static Optional<Problem> unusable(int upstreamStatus) {
        if (upstreamStatus >= 300 && upstreamStatus < 400) {
            return Optional.of(Refusals.redirected(upstreamStatus));
        }
        // After an interim status the client would wait for the answer for ever.
        return upstreamStatus >= 200 && upstreamStatus < 600
                ? Optional.empty()
                : Optional.of(Problem.of(
                        Fault.UPSTREAM_ERROR,
                        "The upstream answered with status " + upstreamStatus + ", which ends no request."));
    }

    static Problem idempotencyMismatch() {
        return Problem.of(
                        Fault.IDEMPOTENCY_MISMATCH,
                        "The idempotency key was used with another body. Use a new key for a new request.")
                .at(Wishes.IDEMPOTENCY_KEY);
    }

    static Problem noTasks() {
        return Problem.of(
                        Fault.INVALID_HEADER,
                        "This gateway keeps its queue in memory, where a task would not survive a stop. For 'prefer:"
                                + " respond-async' set database.mode to embedded or external; or send the request without"
                                + " it and keep the connection open.")
                .at(Wishes.PREFER);
    }

    static Problem unknownWebhook(String group) {
        return Problem.of(
                        Fault.INVALID_HEADER,
                        Wishes.WEBHOOK + " must be the id of one of the webhooks that are configured for the group '"
                                + group + "'.")
                .at(Wishes.WEBHOOK);
    }

    static Problem uselessWebhook() {
        return Problem.of(
                        Fault.INVALID_HEADER,
                        Wishes.WEBHOOK
                                + " tells of the end of a task; this request waits for its answer itself. Send it"
                                + " with 'prefer: respond-async', or leave the header out.")
                .at(Wishes.WEBHOOK);
    }

    static Problem unknownTask() {
        return Problem.of(Fault.NOT_FOUND, "There is no such task, or its time to be kept is over.");
    }

    static Problem internal() {
        return Problem.of(Fault.INTERNAL_ERROR, "The gateway failed. Its log tells more.");
    }
}
