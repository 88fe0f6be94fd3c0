package dev.sluice.gateway.tasks;

import dev.sluice.admission.Eviction;
import dev.sluice.admission.Rejected;
import dev.sluice.admission.Routing;
import dev.sluice.admission.Waiting;
import dev.sluice.gateway.http.AsyncTasks;
import dev.sluice.gateway.http.Chronicle;
import dev.sluice.gateway.http.Filing;
import dev.sluice.postgres.PostgresAdmission;
import dev.sluice.postgres.QueuedHook;
import dev.sluice.postgres.RowHook;
import dev.sluice.postgres.responses.NewResponse;
import dev.sluice.postgres.responses.ResponseStore;
import dev.sluice.postgres.tasks.DuplicateTaskException;
import dev.sluice.postgres.tasks.NewTask;
import dev.sluice.postgres.tasks.StoredTask;
import dev.sluice.postgres.tasks.TaskStore;
import io.vertx.core.buffer.Buffer;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tasks in the database, as their clients file, see and cancel them. */
public final class KeptTasks implements AsyncTasks {
    private static final Logger LOG = LoggerFactory.getLogger(KeptTasks.class);

    private static final int LARGE_BYTES = 64 << 10;

    private final PostgresAdmission admission;
    private final TaskStore tasks;
    private final ResponseStore responses;
    private final Watch watch;

    public KeptTasks(PostgresAdmission admission, TaskStore tasks, ResponseStore responses, Watch watch) {
        this.admission = admission;
        this.tasks = tasks;
        this.responses = responses;
        this.watch = watch;
    }

    @Override
    public CompletionStage<Filed> file(Filing filing) {
        if (filing.idempotency().isEmpty() && filing.webhook().isEmpty()) {
            return submit(filing, task(filing));
        }
        return blocking(() -> {
                    NewTask task = task(filing);
                    if (task.idempotency().isPresent()) {
                        tasks.look(task.owner(), task.idempotency().get());
                    }
                    return task;
                })
                .handle((task, failure) -> failure == null ? submit(filing, task) : notTaken(failure))
                .thenCompose(filed -> filed);
    }

    private CompletionStage<Filed> submit(Filing filing, NewTask task) {
        return admission
                .submit(filing.ask(), keeping(filing, task))
                .decision()
                .handle((decision, failure) -> {
                    if (decision instanceof Rejected rejected) {
                        return CompletableFuture.<Filed>completedStage(new Filed.Rejected(rejected.refusal()));
                    }
                    return failure == null ? accepted(task, decision instanceof Waiting) : notTaken(failure);
                })
                .thenCompose(filed -> filed);
    }

    private QueuedHook keeping(Filing filing, NewTask task) {
        RowHook<NewTask> alone = tasks.keeping(task);
        RowHook<?> all = filing.background()
                .<RowHook<?>>map(kept -> responses.keeping(alone, response(task, kept)))
                .orElse(alone);
        // A large body is written in a batch of its own, so that others do not wait for it longer than need be.
        return size(filing) > LARGE_BYTES ? all::run : all;
    }

    private static int size(Filing filing) {
        return filing.body().length
                + filing.background()
                        .map(kept -> kept.input().length + kept.shown().length)
                        .orElse(0);
    }

    private static NewResponse response(NewTask task, Filing.Background kept) {
        return new NewResponse(
                task.owner(),
                responseId(task.id()),
                Optional.of(task.id()),
                kept.streamed(),
                kept.shown(),
                kept.input(),
                List.of());
    }

    /** What clients call the response that a task makes. */
    public static String responseId(UUID task) {
        return "resp_" + task.toString().replace("-", "");
    }

    private NewTask task(Filing filing) {
        Routing routing = filing.ask().routing().orElseThrow();
        return new NewTask(
                filing.ask().task(),
                filing.group(),
                routing.route(),
                filing.path(),
                filing.ask().priority(),
                routing.longContext(),
                filing.body(),
                TaskJson.headers(filing.headers()),
                filing.idempotency().map(key -> new NewTask.Idempotency(key.key(), key.body())),
                filing.webhook().map(id -> new NewTask.Webhook(id, Metadata.of(filing.body()))),
                admission.now());
    }

    private CompletionStage<Filed> notTaken(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof DuplicateTaskException duplicate) {
            return duplicate.sameBody()
                    ? accepted(duplicate.task())
                    : CompletableFuture.completedStage(new Filed.Mismatch());
        }
        return CompletableFuture.failedStage(cause == null ? failure : cause);
    }

    /** What was just committed is known without a look, and of one that does not wait there is no place. */
    private CompletionStage<Filed> accepted(NewTask task, boolean waits) {
        return task.created()
                .map(created -> new StoredTask(
                        task.id(),
                        task.owner(),
                        StoredTask.State.QUEUED,
                        0,
                        created,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()))
                .<CompletionStage<Filed>>map(kept -> CompletableFuture.completedStage(new Filed.Accepted(
                        kept.id(), TaskJson.of(kept, waits ? admission.place(kept.id()) : Optional.empty()))))
                .orElseGet(() -> accepted(task.id()));
    }

    private CompletionStage<Filed> accepted(UUID task) {
        return blocking(() -> new Filed.Accepted(task, json(tasks.find(task).orElseThrow())));
    }

    private Buffer json(StoredTask task) {
        return TaskJson.of(task, admission.place(task.id()));
    }

    @Override
    public CompletionStage<Optional<Buffer>> show(UUID task, String group) {
        return blocking(() -> owned(task, group).map(this::json));
    }

    @Override
    public CompletionStage<Optional<Chronicle>> follow(UUID task, String group, String lastEvent) {
        return blocking(
                () -> owned(task, group).map(found -> new TaskChronicle(watch, admission::place, task, lastEvent)));
    }

    private Optional<StoredTask> owned(UUID task, String group) throws SQLException {
        return tasks.find(task).filter(found -> found.owner().equals(group));
    }

    @Override
    public CompletionStage<Optional<Buffer>> cancel(UUID task, String group) {
        return blocking(() -> {
            Optional<StoredTask> found = owned(task, group);
            if (found.isEmpty()) {
                return Optional.<Buffer>empty();
            }
            if (found.get().state().isFinal() || !end(task)) {
                tasks.purge(task);
            }
            return owned(task, group).map(this::json);
        });
    }

    /** Ends a task that has not ended; whether it did. Blocks. */
    public boolean end(UUID task) throws SQLException {
        if (!tasks.cancel(task)) {
            return false;
        }
        // If this is never done, the task leaves the queue when its turn comes and does not start.
        admission.evict(task, Eviction.CANCELLED);
        return true;
    }

    /** Deletes what an ended task said and was told. Blocks. */
    public void purge(UUID task) throws SQLException {
        tasks.purge(task);
    }

    /** What an operator changed in the queue holds for later attempts too. */
    public void prioritised(UUID task, int priority) {
        var _ = blocking(() -> {
            tasks.changePriority(task, priority);
            return true;
        });
    }

    /** On a thread of its own, which costs little: nobody's event loop may wait for a database. */
    private static <T extends @Nullable Object> CompletableFuture<T> blocking(Callable<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        Thread.ofVirtual().name("sluice-task-client").start(() -> {
            try {
                done.complete(work.call());
            } catch (DuplicateTaskException e) {
                done.completeExceptionally(e);
            } catch (Exception e) {
                LOG.warn("a client's call about a task failed: {}", e.toString());
                done.completeExceptionally(e);
            }
        });
        return done;
    }
}
