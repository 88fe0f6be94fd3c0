package dev.sluice.bench.cycle;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.bench.seedpg.SeedInput;
import dev.sluice.bench.seedpg.SeedResult;
import dev.sluice.bench.seedpg.SeedScope;
import dev.sluice.bench.seedpg.SeedStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The port: one try admission and one delete. Each caller asks for its own task again and again. */
final class SeedCycle implements Cycle {
    private static final int LIMIT = 1_000;
    private static final int QUEUE = 1_000_000;

    private final String url;
    private final SeedStore store;
    private final List<SeedInput> inputs = new ArrayList<>();

    SeedCycle(String url) throws Exception {
        this.url = url;
        store = new SeedStore(url, InstantSource.system());
        store.createSchema();
        for (int caller = 0; caller < Contender.CALLERS_MAX; caller++) {
            String task = UUID.randomUUID().toString();
            inputs.add(input(task, id("model", caller % Contender.MODELS), id("group", caller % Contender.GROUPS)));
        }
        store.createTasks(inputs.stream().map(SeedInput::taskId).toList());
    }

    private static SeedInput input(String task, String model, String group) {
        return new SeedInput(
                task,
                id("platform", 0),
                model,
                group,
                "bench",
                "sync",
                100,
                "waiter",
                List.of(SeedScope.platformModel(model, LIMIT, QUEUE), SeedScope.userGroup(group, LIMIT, QUEUE)));
    }

    private static String id(String kind, int number) {
        return UUID.nameUUIDFromBytes((kind + number).getBytes(US_ASCII)).toString();
    }

    @Override
    public void run(int caller) throws Exception {
        SeedInput input = inputs.get(caller);
        SeedResult result = store.tryTaskAdmission(input);
        if (!result.newlyAdmitted()) {
            throw new IllegalStateException("not admitted: " + result);
        }
        store.deleteTaskAdmission(input.taskId());
    }

    /** Inserted at once: 100,000 try admissions would take minutes and leave the same rows. */
    @Override
    public void addWaiting(int tasks) throws Exception {
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement insert = connection.prepareStatement("""
                        WITH task AS (
                          INSERT INTO gateway_tasks (id) SELECT gen_random_uuid() FROM generate_series(1, ?)
                          RETURNING id
                        ), numbered AS (
                          SELECT id, row_number() OVER () AS n FROM task
                        )
                        INSERT INTO gateway_task_admissions (
                          task_id, platform_id, platform_model_id, user_group_id, queue_key, mode, status,
                          priority, wait_deadline_at)
                        SELECT id, md5('platform0')::uuid, md5('backlog-model' || n % ?)::uuid,
                               md5('backlog-group' || n % ?)::uuid, 'bench', 'async', 'waiting',
                               100, now() + interval '24 hours'
                        FROM numbered""")) {
            insert.setInt(1, tasks);
            insert.setInt(2, Contender.BACKLOG_MODELS);
            insert.setInt(3, Contender.BACKLOG_GROUPS);
            insert.executeUpdate();
        }
        Databases.vacuum(url);
    }

    @Override
    public void close() {
        store.close();
    }
}
