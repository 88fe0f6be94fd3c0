package dev.sluice.bench.tasks;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sluice.bench.cycle.Databases;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** db-scheduler, set up for throughput on PostgreSQL as its own documentation advises. */
final class SchedulerJobs implements Jobs {
    /** The columns and indexes of its PostgreSQL schema, version 16. */
    private static final String TABLE = """
            create table scheduled_tasks (
                task_name text not null, task_instance text not null, task_data bytea,
                execution_time timestamptz not null, picked boolean not null, picked_by text,
                last_success timestamptz, last_failure timestamptz, consecutive_failures int,
                last_heartbeat timestamptz, version bigint not null, priority smallint,
                primary key (task_name, task_instance));
            create index execution_time_idx on scheduled_tasks (execution_time);
            create index last_heartbeat_idx on scheduled_tasks (last_heartbeat)""";

    private final AtomicLong ids = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private final String url;
    private final HikariDataSource pool;
    private final CustomTask<String> task;
    private final Scheduler scheduler;

    SchedulerJobs(String url, int workers, int connections) throws SQLException {
        this.url = url;
        Databases.execute(url, TABLE);
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        this.pool = new HikariDataSource(config);
        this.task = Tasks.custom("nothing", String.class).execute((instance, context) -> (execution, operations) -> {
            operations.remove();
            done.incrementAndGet();
        });
        this.scheduler = Scheduler.create(pool, task)
                .threads(workers)
                .pollUsingLockAndFetch(0.5, 4.0)
                .enableImmediateExecution()
                .pollingInterval(Duration.ofMillis(100))
                .build();
        scheduler.start();
    }

    @Override
    public void insert(int jobs, int callers) {
        Callers.insert(jobs, callers, this::submit);
    }

    /** By the call that inserts without looking first whether the job is there, which saves it a round trip. */
    private void submit(int caller) {
        scheduler.scheduleBatch(List.of(task.instance(Long.toString(ids.incrementAndGet()), TEXT)), Instant.EPOCH);
    }

    @Override
    public boolean areDone() {
        return done.get() == ids.get();
    }

    @Override
    public long left() throws SQLException {
        return Long.parseLong(Databases.ask(url, "select count(*) from scheduled_tasks"));
    }

    @Override
    public void close() {
        scheduler.stop();
        pool.close();
    }
}
