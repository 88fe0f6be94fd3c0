package dev.sluice.postgres;

import static dev.sluice.postgres.Ledgers.MODEL;
import static dev.sluice.postgres.Ledgers.join;

import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.TaskIds;
import dev.sluice.postgres.tasks.DueTask;
import dev.sluice.postgres.tasks.Job;
import dev.sluice.postgres.tasks.JobStore;
import dev.sluice.postgres.tasks.StoredTask.Answer;
import dev.sluice.postgres.tasks.StoredTask.Failure;
import dev.sluice.postgres.tasks.TaskStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletionException;

/** All that a gateway does with durable tasks, one thing at a time and by chance. */
final class TaskMix {
    private final TaskIds ids = new TaskIds(() -> 0);
    private final LedgerSchema schema;
    private final PostgresAdmission engine;
    private final TaskStore tasks;

    TaskMix(LedgerSchema schema, PostgresAdmission engine) {
        this.schema = schema;
        this.engine = engine;
        this.tasks = new TaskStore(schema.source(), schema.name());
    }

    /** The task that it made, if it made one. */
    Optional<UUID> step(String holder, SplittableRandom random) throws Exception {
        JobStore jobs = new JobStore(schema.source(), schema.name(), holder);
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> {
                return Optional.of(submit(random.nextBoolean()));
            }
            case 3, 4, 5, 6 -> {
                JobStore.Picked picked = jobs.pick(Set.of(), 4);
                for (Job job : picked.jobs()) {
                    end(jobs, job, random);
                }
                for (Map.Entry<UUID, Long> ended : picked.ended().entrySet()) {
                    join(engine.release(ended.getKey(), ended.getValue()));
                }
            }
            case 7 -> {
                for (DueTask due : jobs.due(4)) {
                    again(jobs, due.task());
                }
            }
            case 8 -> {
                UUID task = any(random);
                if (tasks.cancel(task) && random.nextBoolean()) {
                    join(engine.evict(task, Eviction.CANCELLED));
                }
            }
            case 9 -> {
                tasks.changePriority(any(random), random.nextInt(3));
                tasks.purge(any(random));
            }
            case 10 -> {
                lose();
                tasks.failLost();
                tasks.retryLostLines();
            }
            default -> tasks.purgeOlder(Duration.ZERO);
        }
        return Optional.empty();
    }

    private UUID submit(boolean together) {
        UUID task = ids.next();
        QueuedHook hook = together
                ? tasks.keeping(WithTasks.task(task, Optional.empty()))
                : connection -> tasks.insert(connection, WithTasks.task(task, Optional.empty()));
        join(engine.submit(Ask.async(task, 100, List.of(Demand.one(MODEL))), hook)
                .decision());
        return task;
    }

    private void end(JobStore jobs, Job job, SplittableRandom random) {
        Optional<Answer> answer = Optional.of(new Answer(200, "application/json", new byte[] {'1'}));
        switch (random.nextInt(5)) {
            case 0, 1 ->
                join(engine.release(job.task(), job.epoch(), jobs.finishing(job, Optional.empty(), answer, false)));
            case 2 ->
                join(engine.release(
                        job.task(),
                        job.epoch(),
                        jobs.finishing(
                                job,
                                Optional.of(new Failure("api_error", "upstream_error", "no")),
                                Optional.empty(),
                                false)));
            case 3 -> join(engine.handBack(job.task(), job.epoch(), connection -> jobs.handBack(connection, job)));
            default ->
                join(engine.release(
                        job.task(),
                        job.epoch(),
                        connection -> jobs.retryLater(connection, job, Duration.ofMillis(1), Set.of())));
        }
    }

    private void again(JobStore jobs, UUID task) {
        try {
            join(engine.submit(Ask.async(task, 100, List.of(Demand.one(MODEL))), (QueuedHook)
                            connection -> jobs.queuedAgain(connection, task))
                    .decision());
        } catch (CompletionException ended) {
            if (!(ended.getCause() instanceof IllegalStateException)) {
                throw ended;
            }
        }
    }

    /** Some that the ledger does not know. */
    private void lose() throws Exception {
        try (Connection connection = schema.source().getConnection()) {
            for (int i = 0; i < 3; i++) {
                UUID task = ids.next();
                tasks.insert(connection, WithTasks.task(task, Optional.empty()));
                try (var old = connection.prepareStatement(
                        "update %s.task set created = created - interval '1 hour' where id = ?"
                                .formatted(schema.name()))) {
                    old.setObject(1, task);
                    old.executeUpdate();
                }
            }
        }
    }

    private UUID any(SplittableRandom random) throws SQLException {
        try (Connection connection = schema.source().getConnection();
                var find = connection.prepareStatement(
                        "select id from %s.task where finished is null offset ? limit 1".formatted(schema.name()))) {
            find.setInt(1, random.nextInt(5));
            try (var row = find.executeQuery()) {
                return row.next() ? row.getObject(1, UUID.class) : new UUID(0, 1);
            }
        }
    }
}
