package dev.sluice.gateway.http;

import dev.sluice.admission.Amount;
import dev.sluice.admission.Evicted;
import dev.sluice.admission.Refusal;
import dev.sluice.admission.Scope;
import dev.sluice.admission.WaitReason;
import java.time.Duration;

/** The ledger's refusals in words for people: scope, limit, active, waiting, and what to do. */
final class Refusals {
    private Refusals() {}

    static Problem problem(Refusal refusal) {
        return switch (refusal.reason()) {
            case QUEUE_FULL ->
                Problem.of(
                                Fault.QUEUE_FULL,
                                "The queue of " + name(refusal.scope()) + " is full: " + numbers(refusal)
                                        + ". Retry after the time in Retry-After, or ask for a longer queue.")
                        .sharedCapacity(isShared(refusal.scope()))
                        .retryAfter(refusal.retryAfter());
            case CONCURRENCY_LIMIT_EXCEEDED ->
                Problem.of(
                                Fault.CONCURRENCY_LIMIT_EXCEEDED,
                                capitalised(name(refusal.scope())) + " runs as much as it may and the request may not"
                                        + " wait: " + numbers(refusal)
                                        + ". Retry after the time in Retry-After, or send fewer requests at once.")
                        .sharedCapacity(isShared(refusal.scope()))
                        .retryAfter(refusal.retryAfter());
            case AMOUNT_UNSATISFIABLE ->
                Problem.of(
                                Fault.AMOUNT_UNSATISFIABLE,
                                "The request takes " + Amount.text(refusal.amount()) + " of " + name(refusal.scope())
                                        + ", whose limit is " + Amount.text(refusal.limit())
                                        + ": it can never run. Use another model or ask for a higher limit.")
                        .noRetry();
            case NO_CAPACITY ->
                Problem.of(
                                Fault.NO_CAPACITY,
                                "No provider of " + name(refusal.scope()) + " is in service: all are disabled, drained"
                                        + " or removed. Retry later, or use another model.")
                        .retryAfter(refusal.retryAfter());
            case UNKNOWN_ROUTE ->
                Problem.of(Fault.MODEL_NOT_FOUND, "The model is not configured. GET /v1/models lists those that are.")
                        .at("model");
            case IN_PROGRESS, FINISHED ->
                Problem.of(
                                Fault.IDEMPOTENCY_IN_PROGRESS,
                                "A request with this idempotency key runs on another connection. Wait for its answer"
                                        + " there, or retry after the time in Retry-After.")
                        .at(Wishes.IDEMPOTENCY_KEY)
                        .retryAfter(refusal.retryAfter());
            case SHUTTING_DOWN -> shuttingDown();
        };
    }

    static Problem problem(Evicted evicted) {
        String waited = "after " + seconds(evicted.waited()) + " in the queue";
        return switch (evicted.reason()) {
            case QUEUE_TIMEOUT ->
                Problem.of(
                                Fault.QUEUE_TIMEOUT,
                                "The request could not start " + waited + ", the longest it may wait"
                                        + evicted.blockedBy()
                                                .map(reason -> "; it waited for " + reason.text()
                                                        + reason.scope()
                                                                .map(scope -> " (" + name(scope) + ")")
                                                                .orElse(""))
                                                .orElse("")
                                        + ". Retry after the time in Retry-After.")
                        .sharedCapacity(evicted.blockedBy()
                                .flatMap(WaitReason::scope)
                                .map(Refusals::isShared)
                                .orElse(true))
                        .retryAfter(evicted.retryAfter());
            case SUPERSEDED ->
                Problem.of(Fault.SUPERSEDED, "Another connection with the same idempotency key took the place in line.")
                        .at(Wishes.IDEMPOTENCY_KEY)
                        .noRetry();
            case OPERATOR ->
                Problem.of(Fault.EVICTED, "An operator removed the request from the queue " + waited + ".")
                        .noRetry();
            case ROUTE_REMOVED ->
                Problem.of(Fault.EVICTED, "The model was removed from the configuration while the request waited.")
                        .noRetry();
            case NO_CAPACITY ->
                Problem.of(Fault.NO_CAPACITY, "All providers of the model were taken out of service " + waited + ".")
                        .retryAfter(evicted.retryAfter());
            case AMOUNT_UNSATISFIABLE ->
                Problem.of(Fault.AMOUNT_UNSATISFIABLE, "A limit was lowered below what the request takes.")
                        .noRetry();
            case CANCELLED, WAITER_LOST ->
                Problem.of(Fault.EVICTED, "The request was cancelled " + waited + ".")
                        .noRetry();
            case SHUTTING_DOWN -> shuttingDown();
        };
    }

    static Problem shuttingDown() {
        return Problem.of(Fault.SHUTTING_DOWN, "This gateway is shutting down. Retry; another one will answer.")
                .retryAfter(Duration.ofSeconds(1));
    }

    static Problem unavailable() {
        return Problem.of(
                        Fault.ADMISSION_UNAVAILABLE,
                        "The ledger that admits requests cannot be reached. Retry after the time in Retry-After.")
                .retryAfter(Duration.ofSeconds(1));
    }

    private static boolean isShared(Scope scope) {
        return !scope.type().equals(Scope.USER_GROUP);
    }

    static Problem leaseLost() {
        return Problem.of(Fault.ADMISSION_UNAVAILABLE, "The lease of the request was lost while it ran.");
    }

    static Problem providerRemoved() {
        return Problem.of(Fault.EVICTED, "The provider was removed from the configuration as the request started.");
    }

    static Problem upstreamSilent(long nanos) {
        return Problem.of(
                Fault.UPSTREAM_TIMEOUT,
                "The upstream was silent for " + nanos / 1_000_000 + " ms, the longest allowed.");
    }

    static Problem upstreamFailed(String detail) {
        return Problem.of(Fault.UPSTREAM_ERROR, "The upstream failed: " + detail + ". Retry, or report it.");
    }

    static Problem redirected(int status) {
        return Problem.of(Fault.UPSTREAM_ERROR, "The upstream answered with a redirection (status " + status + ").");
    }

    private static String numbers(Refusal refusal) {
        String limit = refusal.scopeLimit() > 0 ? "limit " + Amount.text(refusal.scopeLimit()) + ", " : "";
        String active =
                refusal.active() > 0 || !limit.isEmpty() ? "active " + Amount.text(refusal.active()) + ", " : "";
        String queue = refusal.queueLimit() > 0 ? " of " + refusal.queueLimit() : "";
        return limit + active + "waiting " + refusal.waiting() + queue;
    }

    /** For example {@code group 'research'}; people do not know the ledger's words. */
    static String name(Scope scope) {
        String kind = switch (scope.type()) {
            case Scope.USER_GROUP -> "group";
            case Scope.PLATFORM_MODEL -> "platform model";
            case "route" -> "model";
            default -> scope.type().replace('_', ' ');
        };
        return kind + " '" + scope.key() + "'";
    }

    private static String capitalised(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    private static String seconds(Duration wait) {
        return wait.toSeconds() + " s";
    }
}
