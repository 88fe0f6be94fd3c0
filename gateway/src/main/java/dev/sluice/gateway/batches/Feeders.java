package dev.sluice.gateway.batches;

import dev.sluice.postgres.batches.BatchLeases.Renewed;
import dev.sluice.postgres.batches.Lot;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes batches that nobody works on, keeps their leases, and tidies up after them. One thread does so; each batch has a
 * virtual thread.
 */
public final class Feeders implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Feeders.class);
    private static final int BATCHES_MAX = 100;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long RENEW_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long TIDY_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long STOP_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int PURGES_AT_ONCE = 4;

    private final Workshop shop;
    private final Map<UUID, Feeding> feedings = new ConcurrentHashMap<>();
    private final Thread looking;
    private volatile boolean woken;
    private volatile boolean stopped;
    private boolean alone;
    private boolean failing;
    private long renewed = System.nanoTime();
    private long tidied = System.nanoTime();

    public Feeders(Workshop shop) {
        this.shop = shop;
        this.looking = Thread.ofPlatform().name("sluice-batches").daemon().unstarted(this::look);
        shop.admission().onWork(this::wake);
    }

    /** @param isAlone whether every other process that worked on this database is dead, so that its batches are free */
    public void start(boolean isAlone) {
        alone = isAlone;
        looking.start();
    }

    private void wake() {
        woken = true;
        LockSupport.unpark(looking);
    }

    /** A task ended: who waits for room looks again. */
    public void freed() {
        feedings.values().forEach(Feeding::freed);
    }

    private void look() {
        while (!stopped) {
            woken = false;
            try {
                if (shop.admission().isAvailable()) {
                    once(System.nanoTime());
                }
                failing = false;
            } catch (SQLException | RuntimeException e) {
                if (!failing) {
                    LOG.warn("cannot look for batches, trying again: {}", e.getMessage());
                }
                failing = true;
            }
            // Hints come with every task that starts; most are not meant for here.
            LockSupport.parkNanos(PAUSE_NANOS);
            if (!woken && !stopped) {
                LockSupport.parkNanos(LOOK_NANOS - PAUSE_NANOS);
            }
        }
    }

    private void once(long now) throws SQLException {
        if (now - renewed >= RENEW_NANOS && !feedings.isEmpty()) {
            renewed = now;
            Map<UUID, Feeding> mine = Map.copyOf(feedings);
            Map<UUID, Renewed> still = shop.leases().renew(mine.keySet());
            mine.forEach((id, feeding) -> {
                Renewed lease = still.get(id);
                if (lease == null) {
                    feeding.stop();
                } else {
                    feeding.saw(lease);
                }
            });
        }
        if (alone) {
            shop.leases().succeed();
            alone = false;
        }
        if (feedings.size() < BATCHES_MAX) {
            for (Lot lot : shop.leases().claim(BATCHES_MAX - feedings.size())) {
                begin(new Feeding(shop, lot));
            }
        }
        tidy(now);
    }

    private void begin(Feeding feeding) {
        feedings.put(feeding.batch(), feeding);
        Thread.ofVirtual().name("sluice-batch").start(() -> {
            try {
                feeding.run();
            } finally {
                feedings.remove(feeding.batch(), feeding);
            }
        });
    }

    private void tidy(long now) throws SQLException {
        for (int i = 0; i < PURGES_AT_ONCE && shop.lines().purge(); i++) {
            LOG.debug("deleted lines whose results are in files");
        }
        if (now - tidied >= TIDY_NANOS) {
            tidied = now;
            for (int i = 0; i < PURGES_AT_ONCE && shop.files().purge() > 0; i++) {
                LOG.debug("deleted files whose time was over");
            }
            Duration retention =
                    shop.shared().switchboard().configuration().files().retention();
            shop.batches().purgeOlder(retention);
        }
    }

    /** Gives up all batches, so that another process goes on with them; what runs of them goes on. */
    @Override
    public void close() {
        if (stopped) {
            return;
        }
        stopped = true;
        LockSupport.unpark(looking);
        feedings.values().forEach(Feeding::stop);
        long start = System.nanoTime();
        while ((looking.isAlive() || !feedings.isEmpty()) && System.nanoTime() - start < STOP_NANOS) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        if (shop.admission().isAvailable()) {
            try {
                shop.leases().giveUp();
            } catch (SQLException e) {
                LOG.debug("leases of batches lapse by themselves: {}", e.getMessage());
            }
        }
    }
}
