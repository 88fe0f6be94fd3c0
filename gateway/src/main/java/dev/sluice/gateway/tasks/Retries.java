package dev.sluice.gateway.tasks;

import dev.sluice.admission.Ask;
import dev.sluice.admission.Decision;
import dev.sluice.admission.MaxWait;
import dev.sluice.admission.Rejected;
import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.Shared;
import dev.sluice.postgres.PostgresAdmission;
import dev.sluice.postgres.RepeatableHook;
import dev.sluice.postgres.tasks.DueTask;
import dev.sluice.postgres.tasks.JobStore;
import dev.sluice.postgres.tasks.StoredTask.Failure;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts tasks whose next attempt is due into the queue again, at its end: what came meanwhile goes first. Whoever made
 * the last attempt, any process may do this; the transaction lets one of them.
 */
final class Retries {
    private static final Logger LOG = LoggerFactory.getLogger(Retries.class);
    private static final int AT_ONCE = 32;
    private static final Duration WHEN_FULL = Duration.ofSeconds(5);

    private final PostgresAdmission admission;
    private final JobStore jobs;
    private final Shared shared;

    Retries(PostgresAdmission admission, JobStore jobs, Shared shared) {
        this.admission = admission;
        this.jobs = jobs;
        this.shared = shared;
    }

    void queue() throws SQLException {
        // Asked all at once, they are queued in one transaction.
        Map<UUID, CompletionStage<Decision>> asked = new LinkedHashMap<>();
        for (DueTask task : jobs.due(AT_ONCE)) {
            ask(task).ifPresent(ask -> asked.put(task.task(), submit(ask)));
        }
        for (Map.Entry<UUID, CompletionStage<Decision>> one : asked.entrySet()) {
            settle(one.getKey(), one.getValue());
        }
    }

    /** Empty if there is nothing left to ask for: then the task has failed. */
    private Optional<Ask> ask(DueTask task) throws SQLException {
        Duration general = shared.switchboard().configuration().queueing().asyncMaxWait();
        Duration left = task.left().orElse(general.minus(task.age()));
        if (!left.isPositive()) {
            jobs.fail(
                    task.task(),
                    failure(
                            Fault.QUEUE_TIMEOUT,
                            "The task could not succeed within the longest time that it may wait."));
            return Optional.empty();
        }
        Optional<Ask> ask = shared.switchboard()
                .asyncAsk(task.task(), task.owner(), task.model(), task.priority(), task.longPrompt(), task.tried());
        if (ask.isEmpty()) {
            jobs.fail(
                    task.task(),
                    failure(Fault.EVICTED, "The model or the group was removed from the configuration meanwhile."));
        }
        return ask.map(asked -> asked.within(MaxWait.atMost(left)));
    }

    private CompletionStage<Decision> submit(Ask ask) {
        RepeatableHook hook = connection -> jobs.queuedAgain(connection, ask.task());
        return admission.submit(ask, hook).decision();
    }

    private void settle(UUID task, CompletionStage<Decision> decision) throws SQLException {
        try {
            if (decision.toCompletableFuture().join() instanceof Rejected) {
                jobs.postpone(task, WHEN_FULL);
            }
        } catch (CompletionException e) {
            // Another process was quicker, the task was cancelled, or the database is away: all is well as it is.
            LOG.debug("a task was not queued again: {}", String.valueOf(e.getCause()));
        }
    }

    private static Failure failure(Fault fault, String message) {
        return new Failure(fault.type(), fault.code(), message);
    }
}
