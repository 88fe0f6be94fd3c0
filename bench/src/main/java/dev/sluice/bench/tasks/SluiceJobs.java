package dev.sluice.bench.tasks;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Decision;
import dev.sluice.admission.Demand;
import dev.sluice.admission.Policies;
import dev.sluice.admission.Rejected;
import dev.sluice.admission.Scope;
import dev.sluice.admission.TaskIds;
import dev.sluice.bench.cycle.Databases;
import dev.sluice.bench.cycle.SluiceEngine;
import dev.sluice.postgres.PostgresAdmission;
import dev.sluice.postgres.tasks.Job;
import dev.sluice.postgres.tasks.JobStore;
import dev.sluice.postgres.tasks.NewTask;
import dev.sluice.postgres.tasks.StoredTask.Answer;
import dev.sluice.postgres.tasks.TaskStore;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The library, without HTTP: tasks under three scopes (model, group, worker capacity), and workers that do with each
 * what the gateway's workers do, but call nobody. The tasks stay with their answers, where db-scheduler deletes.
 */
final class SluiceJobs implements Jobs {
    private static final int PICKED_AT_ONCE = 64;
    private static final int MODELS = 8;
    private static final int GROUPS = 64;
    private static final int WIDE = 1_000;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final byte[] BYTES = TEXT.getBytes(StandardCharsets.UTF_8);
    private static final Answer ANSWER = new Answer(200, "application/json", BYTES);

    private final TaskIds ids = new TaskIds(InstantSource.system()::millis);
    private final AtomicLong inserted = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private final Set<UUID> running = ConcurrentHashMap.newKeySet();
    private final String url;
    private final int workers;
    private final SluiceEngine engine;
    private final HikariDataSource pool;
    private final TaskStore tasks;
    private final JobStore jobs;
    private final Thread looking;
    private volatile boolean stopped;
    private volatile Optional<Throwable> failure = Optional.empty();

    SluiceJobs(String url, int workers, int connections) {
        this.url = url;
        this.workers = workers;
        Policies policies = Policies.NONE.with(Scope.workerCapacity(), SluiceEngine.policy(workers));
        for (int model = 0; model < MODELS; model++) {
            policies = policies.with(model(model), SluiceEngine.policy(WIDE));
        }
        for (int group = 0; group < GROUPS; group++) {
            policies = policies.with(group(group), SluiceEngine.policy(WIDE));
        }
        this.engine = SluiceEngine.start(url, policies);
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        this.pool = new HikariDataSource(config);
        this.tasks = new TaskStore(pool, "sluice");
        this.jobs = new JobStore(pool, "sluice", engine.holder());
        this.looking = Thread.ofPlatform().name("look").unstarted(this::look);
        admission().onWork(() -> LockSupport.unpark(looking));
        looking.start();
    }

    private PostgresAdmission admission() {
        return engine.admission();
    }

    private static Scope model(int number) {
        return Scope.platformModel("bench", "model-" + number);
    }

    private static Scope group(int number) {
        return Scope.userGroup("group-" + number);
    }

    @Override
    public void insert(int jobs, int callers) {
        Callers.insert(jobs, callers, this::submit);
    }

    private void submit(int caller) {
        UUID id = ids.next();
        Ask ask = Ask.async(
                id,
                100,
                List.of(
                        Demand.one(model(caller % MODELS)),
                        Demand.one(group(caller % GROUPS)),
                        Demand.one(Scope.workerCapacity())));
        var task = new NewTask(
                id,
                "group-" + caller % GROUPS,
                "model-" + caller % MODELS,
                "/v1/x",
                100,
                false,
                BYTES,
                "{}",
                Optional.empty());
        Decision decision = admission()
                .submit(ask, tasks.keeping(task))
                .decision()
                .toCompletableFuture()
                .join();
        if (decision instanceof Rejected) {
            throw new IllegalStateException("rejected: " + decision);
        }
        inserted.incrementAndGet();
    }

    private void look() {
        while (!stopped) {
            try {
                if (!pick()) {
                    LockSupport.parkNanos(LOOK_NANOS);
                }
            } catch (SQLException | RuntimeException e) {
                failure = Optional.of(e);
                return;
            }
        }
    }

    private boolean pick() throws SQLException {
        int free = Math.min(PICKED_AT_ONCE, workers - running.size());
        if (free <= 0) {
            return false;
        }
        List<Job> picked = jobs.pick(Set.copyOf(running), free).jobs();
        for (Job job : picked) {
            running.add(job.task());
            Thread.ofVirtual().start(() -> execute(job));
        }
        return picked.size() == free;
    }

    private void execute(Job job) {
        try {
            if (admission()
                    .take(job.task(), job.epoch())
                    .toCompletableFuture()
                    .join()
                    .isEmpty()) {
                throw new IllegalStateException("not held any more: " + job.task());
            }
            if (!admission()
                    .release(job.task(), job.epoch(), jobs.finishing(job, Optional.empty(), Optional.of(ANSWER), false))
                    .toCompletableFuture()
                    .join()) {
                throw new IllegalStateException("not released: " + job.task());
            }
            done.incrementAndGet();
        } catch (RuntimeException e) {
            failure = Optional.of(e);
        } finally {
            running.remove(job.task());
            LockSupport.unpark(looking);
        }
    }

    @Override
    public boolean areDone() {
        failure.ifPresent(cause -> {
            throw new IllegalStateException(cause);
        });
        return done.get() == inserted.get();
    }

    @Override
    public long left() throws SQLException {
        return Long.parseLong(Databases.ask(url, "select count(*) from sluice.task where state <> 'succeeded'"));
    }

    @Override
    public void close() {
        stopped = true;
        LockSupport.unpark(looking);
        try {
            looking.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        engine.close();
        pool.close();
    }
}
