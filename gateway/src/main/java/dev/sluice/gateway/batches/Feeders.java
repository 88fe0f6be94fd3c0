package dev.sluice.gateway.batches;

import dev.sluice.gateway.rounds.Rounds;
import dev.sluice.postgres.batches.BatchLeases.Renewed;
import dev.sluice.postgres.batches.Lot;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
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
    private static final long RENEW_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long TIDY_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Duration STOP = Duration.ofSeconds(2);
    private static final int PURGES_AT_ONCE = 4;

    private final Workshop shop;
    private final Map<UUID, Feeding> feedings = new ConcurrentHashMap<>();
    private final Rounds rounds;
    private boolean alone;
    private long renewed = System.nanoTime();
    private long tidied = System.nanoTime();

    public Feeders(Workshop shop) {
        this.shop = shop;
        this.rounds = new Rounds(
                Thread.ofPlatform().name("sluice-batches").daemon(),
                "batches",
                shop.admission()::isAvailable,
                LOOK_NANOS,
                this::round);
    }

    /** @param isAlone whether every other process that worked on this database is dead, so that its batches are free */
    public void start(boolean isAlone) {
        alone = isAlone;
        rounds.start();
    }

    /** A task ended: who waits for room looks again. */
    public void freed() {
        feedings.values().forEach(Feeding::freed);
    }

    private long round() throws SQLException {
        long now = System.nanoTime();
        if (now - renewed >= RENEW_NANOS && !feedings.isEmpty()) {
            renewed = now;
            renew();
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
        return LOOK_NANOS;
    }

    private void renew() throws SQLException {
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

    private void begin(Feeding feeding) {
        feedings.put(feeding.batch(), feeding);
        if (rounds.isStopped()) {
            feeding.stop();
        }
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
        if (rounds.isStopped()) {
            return;
        }
        rounds.stop();
        feedings.values().forEach(Feeding::stop);
        rounds.awaitEnd(feedings::isEmpty, STOP);
        if (shop.admission().isAvailable()) {
            try {
                shop.leases().giveUp();
            } catch (SQLException e) {
                LOG.debug("leases of batches lapse by themselves: {}", e.getMessage());
            }
        }
    }
}
