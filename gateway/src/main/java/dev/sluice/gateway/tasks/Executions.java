package dev.sluice.gateway.tasks;

import dev.sluice.gateway.config.Workers;
import dev.sluice.gateway.http.Api;
import dev.sluice.gateway.http.Assignment;
import dev.sluice.gateway.http.DataPlane;
import dev.sluice.gateway.http.Errand;
import dev.sluice.gateway.http.Errand.Ended;
import dev.sluice.gateway.http.Fault;
import dev.sluice.gateway.http.InferenceRequest;
import dev.sluice.gateway.http.Problem;
import dev.sluice.postgres.PostgresAdmission;
import dev.sluice.postgres.PostgresAdmission.Taken;
import dev.sluice.postgres.RepeatableHook;
import dev.sluice.postgres.tasks.Job;
import dev.sluice.postgres.tasks.JobStore;
import dev.sluice.postgres.tasks.StoredTask.Answer;
import dev.sluice.postgres.tasks.StoredTask.Failure;
import io.vertx.core.http.HttpHeaders;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes one job from its pick-up to its end. What becomes of the task, the release of its leases and the promotion of
 * the next ones are one transaction, so a crash leaves it either to be executed again or ended.
 */
final class Executions {
    private static final Logger LOG = LoggerFactory.getLogger(Executions.class);
    private static final int STAGED_BYTES = 64 << 10;
    private static final long WRITE_MILLIS = 100;
    private static final CompletionStage<?> DONE = CompletableFuture.completedStage(true);
    /** For the little that waits and would otherwise do so on an event loop. */
    private static final Executor WAITING =
            task -> Thread.ofVirtual().name("sluice-task-worker").start(task);

    private final PostgresAdmission admission;
    private final JobStore jobs;
    private final List<DataPlane> planes;
    private final Map<String, Api> apis;
    private final Map<String, Show.Stage> stages;
    private final Supplier<Workers> settings;
    private final BiConsumer<Step, UUID> steps;
    private final AtomicInteger turn = new AtomicInteger();

    Executions(
            PostgresAdmission admission,
            JobStore jobs,
            List<DataPlane> planes,
            Map<String, Api> apis,
            Map<String, Show.Stage> stages,
            Supplier<Workers> settings,
            BiConsumer<Step, UUID> steps) {
        this.admission = admission;
        this.jobs = jobs;
        this.planes = List.copyOf(planes);
        this.apis = Map.copyOf(apis);
        this.stages = Map.copyOf(stages);
        this.settings = settings;
        this.steps = steps;
    }

    /**
     * Executes it on the calling thread, which may wait, up to what takes time: the upstream, and the end of the task.
     *
     * @return completes, on any thread, when it is over
     */
    CompletionStage<?> execute(Run run) throws SQLException {
        Job job = run.job;
        Optional<Taken> taken = join(admission.take(job.task(), job.epoch()));
        if (taken.isEmpty()) {
            return DONE;
        }
        steps.accept(Step.TAKEN, job.task());
        if (run.isStopped()) {
            return settle(run, taken.get(), new Ended.Stopped());
        }
        if (job.attempt() > settings.get().attempts()) {
            return fail(
                    job, Problem.of(Fault.INTERNAL_ERROR, "The task was begun too often without coming to an end."));
        }
        Api api = apis.get(job.path());
        if (api == null || !(api.read(job.request()) instanceof InferenceRequest request)) {
            return fail(job, Problem.of(Fault.INTERNAL_ERROR, "This version cannot read the request of the task."));
        }
        Show show = stages.getOrDefault(job.path(), begun -> Show.NONE).begin(job);
        Errand errand = planes.get(Math.floorMod(turn.getAndIncrement(), planes.size()))
                .execute(new Assignment(
                        taken.get().ask(),
                        taken.get().admitted(),
                        api,
                        request,
                        TaskJson.headers(job.headers()),
                        settings.get().maxResponseBytes(),
                        show::heard));
        run.calls(errand);
        steps.accept(Step.SENT, job.task());
        if (show.equals(Show.NONE)) {
            return errand.ended()
                    .thenCompose(ended -> isLarge(ended)
                            ? CompletableFuture.supplyAsync(() -> answered(run, taken.get(), ended), WAITING)
                                    .thenCompose(settled -> settled)
                            : answered(run, taken.get(), ended));
        }
        return answered(run, taken.get(), show.ended(await(errand, show)));
    }

    /** Waits for nothing but the bringing of a large answer. */
    private CompletionStage<Void> answered(Run run, Taken taken, Ended ended) {
        steps.accept(Step.ANSWERED, run.job.task());
        try {
            return settle(run, taken, ended).thenRun(() -> steps.accept(Step.STORED, run.job.task()));
        } catch (SQLException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private static boolean isLarge(Ended ended) {
        return ended instanceof Ended.Answered answered && answered.body().length > STAGED_BYTES;
    }

    /** Writes down what is shown while it comes: several times a second, not with each token. */
    private static Ended await(Errand errand, Show show) throws SQLException {
        while (show.writes()) {
            try {
                return errand.ended().toCompletableFuture().get(WRITE_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException working) {
                if (!show.write()) {
                    errand.stop();
                    break;
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
        return join(errand.ended());
    }

    private CompletionStage<?> settle(Run run, Taken taken, Ended ended) throws SQLException {
        Job job = run.job;
        boolean again = job.attempt() < settings.get().attempts();
        return switch (ended) {
            case Ended.Lost() -> {
                LOG.info("a task's leases were lost while it ran; it will be executed again");
                yield DONE;
            }
            case Ended.Stopped() ->
                run.isCancelled()
                        ? admission.release(job.task(), job.epoch())
                        : admission.handBack(
                                job.task(), job.epoch(), (RepeatableHook) connection -> jobs.handBack(connection, job));
            case Ended.Answered answered -> {
                var answer = new Answer(
                        answered.status(),
                        Objects.requireNonNullElse(answered.headers().get(HttpHeaders.CONTENT_TYPE), ""),
                        answered.body());
                if (answered.status() / 100 == 2) {
                    yield finish(job, Optional.empty(), Optional.of(answer));
                } else if (answered.retryable() && again) {
                    yield retry(
                            job,
                            taken,
                            Objects.requireNonNullElse(answered.headers().get("retry-after"), ""));
                }
                String message = "The upstream answered with status " + answered.status() + ".";
                yield finish(job, Optional.of(failure(Problem.of(Fault.UPSTREAM_ERROR, message))), Optional.of(answer));
            }
            case Ended.Failed failed ->
                failed.retryable() && again ? retry(job, taken, "") : fail(job, failed.problem());
        };
    }

    private CompletionStage<?> retry(Job job, Taken taken, String retryAfter) {
        Set<String> tried = new HashSet<>(job.tried());
        taken.admitted().placement().ifPresent(at -> tried.add(at.provider()));
        return admission.release(job.task(), job.epoch(), (RepeatableHook)
                connection -> jobs.retryLater(connection, job, Backoff.after(job.attempt(), retryAfter), tried));
    }

    private CompletionStage<?> fail(Job job, Problem problem) throws SQLException {
        return finish(job, Optional.of(failure(problem)), Optional.empty());
    }

    private static Failure failure(Problem problem) {
        return new Failure(problem.fault().type(), problem.fault().code(), problem.message());
    }

    private CompletionStage<?> finish(Job job, Optional<Failure> failure, Optional<Answer> answer) throws SQLException {
        boolean staged = answer.isPresent() && answer.get().body().length > STAGED_BYTES;
        if (staged) {
            jobs.stage(job, answer.orElseThrow());
        }
        return admission
                .release(job.task(), job.epoch(), jobs.finishing(job, failure, answer, staged))
                .thenAccept(released -> {
                    if (!released) {
                        LOG.info("a task's leases had lapsed when its answer came; it will be executed again");
                    }
                });
    }

    private static <T> T join(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw new IllegalStateException(String.valueOf(e.getCause()), e);
        }
    }
}
