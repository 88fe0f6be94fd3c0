package dev.sluice.admission;

import java.time.Duration;
import java.util.Map;

/**
 * Why a task was refused, with the numbers that explain it. Amounts and limits of the metric {@code concurrent} are
 * thousandths; those of {@code queue_size} are tasks.
 *
 * @param reason the rule that refused
 * @param scope the scope whose rule refused; for {@link Reason#NO_CAPACITY} and {@link Reason#UNKNOWN_ROUTE} a scope
 *     of type {@code route}
 * @param name the scope's display name from its policy
 * @param metadata from the scope's policy
 * @param metric {@code concurrent} or {@code queue_size}
 * @param limit the limit of the metric
 * @param amount what the task asked for
 * @param current what is in use
 * @param projected {@code current + amount}
 * @param waiting tasks that wait with this scope
 * @param queueLimit how many may wait, 0 for none
 * @param resetAfter when the next lease of the scope ends at the latest; zero if nothing is held
 * @param retryAfter when another try is likely to succeed: from the scope's drain rate, with jitter, 1 to 60 s
 * @param retryable whether another try can help
 * @param scopeLimit the scope's limit in thousandths, whatever the metric; 0 for unlimited or not a scope
 * @param active what the scope's tasks hold in thousandths, whatever the metric
 */
public record Refusal(
        Reason reason,
        Scope scope,
        String name,
        Map<String, String> metadata,
        String metric,
        long limit,
        long amount,
        long current,
        long projected,
        int waiting,
        int queueLimit,
        Duration resetAfter,
        Duration retryAfter,
        boolean retryable,
        long scopeLimit,
        long active) {
    /** The rules that refuse. */
    public enum Reason {
        /** A scope's queue, or the dispatch queue of a route, is full. */
        QUEUE_FULL("queue_full"),
        /** A scope has no room and no queue. */
        CONCURRENCY_LIMIT_EXCEEDED("concurrency_limit_exceeded"),
        /** The amount is above the scope's limit and could never be admitted. */
        AMOUNT_UNSATISFIABLE("amount_unsatisfiable"),
        /** Every candidate provider is disabled, drained or removed. */
        NO_CAPACITY("no_capacity"),
        /** No such route is configured. */
        UNKNOWN_ROUTE("model_not_found"),
        /** The task runs already and its lease belongs to another waiter. */
        IN_PROGRESS("idempotency_in_progress"),
        /** The task ended before. */
        FINISHED("task_finished"),
        /** The ledger is being closed. */
        SHUTTING_DOWN("shutting_down");

        private final String code;

        Reason(String code) {
            this.code = code;
        }

        /** The word for it in errors that clients get. */
        public String code() {
            return code;
        }
    }
}
