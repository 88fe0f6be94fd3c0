package dev.sluice.gateway.webhooks;

import dev.sluice.gateway.config.Configuration;
import dev.sluice.gateway.rounds.Rounds;
import dev.sluice.gateway.webhooks.Attempt.Ended;
import dev.sluice.postgres.deadletters.DeadLetterStore;
import dev.sluice.postgres.webhooks.Delivery;
import dev.sluice.postgres.webhooks.DeliveryStore;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers messages that are due, of this and every other gateway on the database. One thread looks for them; each
 * attempt has a virtual thread, which holds no connection to the database while the receiver works.
 */
public final class Deliveries implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);
    private static final Duration LIMIT = Duration.ofSeconds(10);
    /** Longer than an attempt takes, the look-up of its host included. */
    private static final Duration LEASE = Duration.ofSeconds(60);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long TIDY_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Duration END = Duration.ofSeconds(2);
    private static final int AT_ONCE = 32;
    private static final int CLAIMED_AT_ONCE = 4;
    /** A receiver that hangs must not take the places of all others. One claim may bring it some more than these. */
    private static final int PER_TARGET = 4;

    private final DeliveryStore store;
    private final DeadLetterStore deadLetters;
    private final Supplier<Configuration> configuration;
    private final Outgoing outgoing;
    private final Attempt attempt;
    private final Semaphore free = new Semaphore(AT_ONCE);
    private final Map<String, Integer> inFlight = new ConcurrentHashMap<>();
    private final AtomicLong delivered = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong givenUp = new AtomicLong();
    private final Rounds rounds;
    private volatile long pending;
    private volatile DeadLetterStore.Counts dead = new DeadLetterStore.Counts(0, 0);
    private long tidied = System.nanoTime() - TIDY_NANOS;

    /** @param available whether the database can be asked now */
    public Deliveries(
            Vertx vertx,
            DeliveryStore store,
            DeadLetterStore deadLetters,
            BooleanSupplier available,
            Supplier<Configuration> configuration,
            InstantSource clock) {
        this.store = store;
        this.deadLetters = deadLetters;
        this.configuration = configuration;
        this.outgoing = new Outgoing(vertx, LIMIT);
        this.attempt = new Attempt(configuration, outgoing, InetAddress::getAllByName, clock);
        this.rounds = new Rounds(
                Thread.ofPlatform().name("sluice-webhook-look").daemon(),
                "messages to deliver",
                available,
                LOOK_NANOS,
                this::round);
    }

    public void start() {
        rounds.start();
    }

    private long round() throws SQLException {
        boolean more = claim();
        tidy(System.nanoTime());
        return more ? 0 : LOOK_NANOS;
    }

    /** Whether there may be more to do at once. */
    private boolean claim() throws SQLException {
        int most = Math.min(CLAIMED_AT_ONCE, free.availablePermits());
        if (most == 0) {
            return false;
        }
        List<String> busy = inFlight.entrySet().stream()
                .filter(target -> target.getValue() >= PER_TARGET)
                .map(Map.Entry::getKey)
                .toList();
        List<Delivery> claimed = store.claim(busy, most, LEASE);
        for (Delivery delivery : claimed) {
            free.acquireUninterruptibly();
            inFlight.merge(target(delivery), 1, Integer::sum);
            Thread.ofVirtual().name("sluice-webhook").start(() -> deliver(delivery));
        }
        return claimed.size() == most;
    }

    private static String target(Delivery delivery) {
        return DeliveryStore.target(delivery.owner(), delivery.webhook());
    }

    private void deliver(Delivery delivery) {
        try {
            settle(delivery, attempt.make(delivery));
        } catch (SQLException | RuntimeException e) {
            // It is due again when its claim lapses: the receiver may get it twice.
            LOG.warn("what became of a webhook's message could not be kept: {}", e.toString());
        } finally {
            inFlight.computeIfPresent(target(delivery), (key, count) -> count == 1 ? null : count - 1);
            free.release();
            rounds.hint();
        }
    }

    private void settle(Delivery delivery, Ended ended) throws SQLException {
        switch (ended) {
            case Ended.Delivered() -> {
                store.delivered(delivery);
                delivered.incrementAndGet();
            }
            case Ended.Failed(DeliveryStore.Failure failure, boolean last) -> {
                if (rounds.isStopped()) {
                    // Cut by our own end: the claim lapses, and another gateway sends it.
                    return;
                }
                Optional<Duration> next = Schedule.after(
                        delivery.attempt(), ThreadLocalRandom.current().nextDouble());
                if (last || next.isEmpty()) {
                    store.giveUp(delivery, failure);
                    givenUp.incrementAndGet();
                    LOG.warn(
                            "gave up a message to webhook {} of group {} after attempt {}: {}",
                            delivery.webhook(),
                            delivery.owner(),
                            delivery.attempt(),
                            failure.code());
                } else {
                    store.failed(delivery, failure, next.get());
                    failed.incrementAndGet();
                }
            }
        }
    }

    private void tidy(long now) throws SQLException {
        if (now - tidied < TIDY_NANOS) {
            return;
        }
        tidied = now;
        Duration retention = configuration.get().workers().retention();
        while (!rounds.isStopped() && store.purgeOlder(retention) > 0) {
            LOG.debug("deleted messages whose time was over");
        }
        pending = store.pending();
        dead = deadLetters.counts();
    }

    /** Attempts made here, by how they ended. */
    public Map<String, Long> counts() {
        return Map.of("delivered", delivered.get(), "failed", failed.get(), "gave_up", givenUp.get());
    }

    /** Messages still to be delivered, over all gateways; a few seconds old. */
    public long pending() {
        return pending;
    }

    /** What failed for good, by kind; a few seconds old. */
    public Map<String, Long> dead() {
        return Map.of("task", dead.tasks(), "webhook", dead.webhooks());
    }

    /** Ends what is in progress after a short time; a gateway sends it again later. */
    @Override
    public void close() {
        rounds.stop();
        rounds.awaitEnd(() -> free.availablePermits() == AT_ONCE, END);
        outgoing.close();
    }
}
