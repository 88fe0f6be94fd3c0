package dev.sluice.gateway.tasks;

import dev.sluice.gateway.config.Workers;
import dev.sluice.gateway.http.Api;
import dev.sluice.gateway.http.DataPlane;
import dev.sluice.gateway.http.Shared;
import dev.sluice.gateway.rounds.Rounds;
import dev.sluice.postgres.PostgresAdmission;
import dev.sluice.postgres.tasks.Job;
import dev.sluice.postgres.tasks.JobStore;
import dev.sluice.postgres.tasks.StoredTask.State;
import dev.sluice.postgres.tasks.TaskStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes admitted tasks of this and every other process on the database. One thread looks for work; each execution has
 * a virtual thread for whatever it has to wait for, which holds no connection while the upstream works.
 */
public final class TaskWorkers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaskWorkers.class);
    /** A hint may be lost, and a cancelled task's upstream must be closed within a second. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    /** So often at most a hint makes it look for anything but jobs. */
    private static final long HINTS_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long COUNT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Counting reads every task that is kept: it may take this part of the time. */
    private static final long COUNT_SHARE = 100;

    private static final long TIDY_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Duration HAND_BACK = Duration.ofSeconds(2);
    private static final Duration END = Duration.ofSeconds(2);
    private static final long FAULT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int PICKED_AT_ONCE = 64;

    /** Twice: a task may be on its way into the queue, under the configuration before, at the first look. */
    private static final int RECHECKS = 2;

    private final PostgresAdmission admission;
    private final TaskStore tasks;
    private final JobStore jobs;
    private final Shared shared;
    private final Expiring expiring;
    private final Executions executions;
    private final Retries retries;
    private final Entitlements entitlements;
    private final Runnable freed;
    private final Map<UUID, Run> running = new ConcurrentHashMap<>();
    private final Rounds rounds;
    private volatile Map<State, Long> counts = new EnumMap<>(State.class);
    /** A hint came since the last look. */
    private volatile boolean hinted;

    /** There may be jobs for which no slot was free. */
    private volatile boolean jobsLeft;

    /** How often it is still to be looked for tasks that the configuration lets no longer run. */
    private final AtomicInteger rechecks = new AtomicInteger(RECHECKS);

    private volatile boolean draining;
    private boolean lookSoon;
    private long looked = System.nanoTime() - LOOK_NANOS;
    private long counted = System.nanoTime() - COUNT_NANOS;
    private long countPause = COUNT_NANOS;
    private long tidied = System.nanoTime();

    /** Something that is kept for some time. */
    public interface Expiring {
        /** Deletes some of what is older; how much. Zero when none is left. */
        int purgeOlder(Duration retention) throws SQLException;
    }

    /**
     * @param planes where the upstreams are called
     * @param apis by path
     * @param stages by path, for APIs that show more of a task than its end
     * @param expiring what else is kept as long as a task
     * @param steps told of each step of each execution, on its thread
     * @param freed called after each execution
     */
    public TaskWorkers(
            PostgresAdmission admission,
            TaskStore tasks,
            JobStore jobs,
            Shared shared,
            List<DataPlane> planes,
            Map<String, Api> apis,
            Map<String, Show.Stage> stages,
            Expiring expiring,
            BiConsumer<Step, UUID> steps,
            Runnable freed) {
        this.freed = freed;
        this.admission = admission;
        this.tasks = tasks;
        this.jobs = jobs;
        this.shared = shared;
        this.expiring = expiring;
        this.executions = new Executions(admission, jobs, planes, apis, stages, this::settings, steps);
        this.retries = new Retries(admission, jobs, shared);
        this.entitlements = new Entitlements(admission);
        this.rounds = new Rounds(
                Thread.ofPlatform().name("sluice-task-look").daemon(),
                "tasks",
                admission::isAvailable,
                LOOK_NANOS,
                this::round);
        admission.onWork(this::hinted);
    }

    private Workers settings() {
        return shared.switchboard().configuration().workers();
    }

    public void start() {
        rounds.start();
    }

    /** There is a new job, or a task was cancelled. */
    private void hinted() {
        hinted = true;
        rounds.hint();
    }

    private long round() throws SQLException {
        // Most hints are of new jobs, many times a second; what else they may be of is looked at less often.
        lookSoon |= hinted;
        hinted = false;
        long now = System.nanoTime();
        if (now - looked >= (lookSoon ? HINTS_NANOS : LOOK_NANOS / 2)) {
            looked = now;
            lookSoon = false;
            stopCancelled();
            if (!draining) {
                retries.queue();
                recheck();
            }
            tidy(now);
        }
        boolean more = !draining && pick();
        if (more) {
            return 0;
        }
        return lookSoon ? looked + HINTS_NANOS - System.nanoTime() : LOOK_NANOS;
    }

    private void recheck() {
        int left = rechecks.get();
        if (left > 0) {
            entitlements.enforce(shared.switchboard().configuration());
            // Only when it was done, and unless the configuration has changed again meanwhile.
            rechecks.compareAndSet(left, left - 1);
        }
    }

    /** The configuration changed. */
    public void configured() {
        rechecks.set(RECHECKS);
        hinted();
    }

    private void stopCancelled() throws SQLException {
        if (!running.isEmpty()) {
            for (UUID task : jobs.cancelled(Set.copyOf(running.keySet()))) {
                Run run = running.get(task);
                if (run != null) {
                    run.cancel();
                }
            }
        }
    }

    private boolean pick() throws SQLException {
        // Before the count, so that whoever ends after it sees that he is waited for.
        jobsLeft = true;
        int free = Math.min(PICKED_AT_ONCE, settings().slots() - running.size());
        if (free <= 0) {
            return false;
        }
        JobStore.Picked picked = jobs.pick(Set.copyOf(running.keySet()), free);
        // They ended while they were on their way here: what they hold is free at once.
        picked.ended().forEach(admission::release);
        for (Job job : picked.jobs()) {
            Run run = new Run(job);
            running.put(job.task(), run);
            if (rounds.isStopped()) {
                run.stop();
            }
            Thread.ofVirtual().name("sluice-task-worker").start(() -> execute(run));
        }
        boolean more = picked.jobs().size() + picked.ended().size() == free;
        jobsLeft = more;
        return more;
    }

    private void execute(Run run) {
        try {
            var _ = executions.execute(run).whenComplete((done, failure) -> {
                if (failure == null) {
                    over(run);
                } else {
                    Thread.ofVirtual().name("sluice-task-worker").start(() -> failed(run, failure));
                }
            });
        } catch (SQLException | RuntimeException e) {
            failed(run, e);
        }
    }

    /** It is picked up again here, or elsewhere when its lease has lapsed; not at once, since the reason may last. */
    private void failed(Run run, Throwable cause) {
        LOG.warn("the execution of a task failed here: {}", cause.toString());
        LockSupport.parkNanos(FAULT_NANOS);
        over(run);
    }

    private void over(Run run) {
        running.remove(run.job.task(), run);
        if (jobsLeft) {
            rounds.hint();
        }
        freed.run();
    }

    private void tidy(long now) throws SQLException {
        if (now - counted >= countPause) {
            counts = tasks.counts();
            counted = System.nanoTime();
            countPause = Math.max(COUNT_NANOS, (counted - now) * COUNT_SHARE);
        }
        if (now - tidied >= TIDY_NANOS) {
            tidied = now;
            int lost = tasks.failLost();
            if (lost > 0) {
                LOG.warn("{} tasks were neither queued nor running and have failed", lost);
            }
            int lines = tasks.retryLostLines();
            if (lines > 0) {
                LOG.warn("{} lines of batches were neither queued nor running and are queued again", lines);
            }
            Duration retention = settings().retention();
            while (!rounds.isStopped() && tasks.purgeOlder(retention) + expiring.purgeOlder(retention) > 0) {
                LOG.debug("deleted tasks whose time was over");
            }
        }
    }

    /** How many tasks of each state are kept; a few seconds old, or a hundred times what counting them takes. */
    public Map<State, Long> counts() {
        return counts;
    }

    /** Executions in progress here. */
    public int running() {
        return running.size();
    }

    /** Begins nothing new; what runs goes on. */
    public void drain() {
        draining = true;
    }

    /** Hands back what still runs, unharmed, and ends. */
    @Override
    public void close() {
        draining = true;
        rounds.stop();
        rounds.awaitEnd(() -> true, END);
        running.values().forEach(Run::stop);
        rounds.awaitEnd(running::isEmpty, HAND_BACK);
    }
}
