package dev.sluice.bench.cycle;

import dev.sluice.bench.seedpg.SeedInput;
import dev.sluice.bench.seedpg.SeedRefusal;
import dev.sluice.bench.seedpg.SeedScope;
import dev.sluice.bench.seedpg.SeedStore;
import java.io.IOException;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The port with the loop that its file only hints at: a listener, and a dispatcher that on each hint (or each second)
 * lists the heads and tries them one after the other until one may not run. That is the cheapest reading of lines
 * 388-390 and 714-717: waking all 256 listed heads at once would cost the port far more.
 */
final class SeedHotQueue implements HotQueue {
    private static final String WAITER = "waiter";
    private static final int HEADS = 256;
    private static final int QUEUE = 1_000_000;
    private static final String PLATFORM = UUID.randomUUID().toString();
    private static final String MODEL = UUID.randomUUID().toString();
    private static final String GROUP = UUID.randomUUID().toString();

    private final SeedStore store;
    private final Consumer<String> started;
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final Semaphore hints = new Semaphore(0);
    private final ScheduledExecutorService renewal = Executors.newSingleThreadScheduledExecutor();
    private final List<Thread> loops;
    private volatile boolean open = true;

    SeedHotQueue(String url, Consumer<String> started) throws SQLException, IOException {
        this.started = started;
        store = new SeedStore(url, InstantSource.system());
        store.createSchema();
        loops = List.of(
                Thread.ofPlatform().daemon().name("seed-listener").start(this::listen),
                Thread.ofPlatform().daemon().name("seed-dispatcher").start(this::dispatch));
        var unused = renewal.scheduleAtFixedRate(this::renew, 5, 5, TimeUnit.SECONDS);
    }

    private static SeedInput input(String task) {
        return new SeedInput(
                task,
                PLATFORM,
                MODEL,
                GROUP,
                "bench",
                "sync",
                100,
                WAITER,
                List.of(SeedScope.platformModel(MODEL, LIMIT, QUEUE), SeedScope.userGroup(GROUP, QUEUE, QUEUE)));
    }

    @Override
    public void submit(String task) throws SQLException, SeedRefusal {
        if (known.add(task)) {
            store.createTasks(List.of(task));
        }
        attempt(task);
    }

    private boolean attempt(String task) throws SQLException, SeedRefusal {
        boolean admitted = store.tryTaskAdmission(input(task)).newlyAdmitted();
        if (admitted) {
            started.accept(task);
        }
        return admitted;
    }

    @Override
    public void release(String task) throws SQLException, SeedRefusal {
        store.deleteTaskAdmission(task);
    }

    private void listen() {
        try {
            store.reads().listen(() -> open, payload -> hints.release());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void dispatch() {
        try {
            while (open) {
                boolean hinted = hints.tryAcquire(1, TimeUnit.SECONDS);
                if (hinted) {
                    hints.drainPermits();
                }
                tryHeads();
            }
        } catch (SQLException | SeedRefusal | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void tryHeads() throws SQLException, SeedRefusal {
        for (String head : store.reads().waitingHeads(HEADS)) {
            if (!attempt(head)) {
                return;
            }
        }
    }

    private void renew() {
        try {
            String[] tasks = store.reads().waitingHeads(QUEUE).toArray(String[]::new);
            String[] waiters = new String[tasks.length];
            Arrays.fill(waiters, WAITER);
            store.reads().renewWaiters(tasks, waiters);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        open = false;
        renewal.shutdown();
        try {
            for (Thread loop : loops) {
                loop.join();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        store.close();
    }
}
