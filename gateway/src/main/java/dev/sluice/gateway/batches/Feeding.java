package dev.sluice.gateway.batches;

import dev.sluice.admission.Eviction;
import dev.sluice.gateway.batches.Assembly.Result;
import dev.sluice.gateway.batches.Feed.Fed;
import dev.sluice.gateway.batches.Validation.Verdict;
import dev.sluice.gateway.config.Configuration;
import dev.sluice.gateway.http.Api;
import dev.sluice.postgres.batches.BatchLeases.Renewed;
import dev.sluice.postgres.batches.Lot;
import dev.sluice.postgres.batches.StoredBatch;
import dev.sluice.postgres.batches.StoredBatch.State;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes one batch from its input to its results, on a thread of its own, as long as this process holds the batch's
 * lease. Cut short anywhere, the next one to hold the lease goes on from what the database knows.
 */
final class Feeding implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Feeding.class);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long AWAY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long NOTE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Workshop shop;
    private final Lot lot;
    private final StoredBatch batch;
    private volatile State state;
    private volatile boolean overdue;
    private volatile boolean stopped;
    private volatile @Nullable Thread waitsForRoom;
    private long noted = System.nanoTime();

    Feeding(Workshop shop, Lot lot) {
        this.shop = shop;
        this.lot = lot;
        this.batch = lot.batch();
        this.state = batch.state();
    }

    UUID batch() {
        return batch.id();
    }

    /** What the database knows of the batch now. */
    void saw(Renewed now) {
        // Every other step is this one's own, and newer than what was read while it was taken.
        if (now.state() == State.CANCELLING) {
            state = State.CANCELLING;
        }
        overdue = now.isOverdue();
    }

    /** A task ended, so that there may be room. */
    void freed() {
        Thread blocked = waitsForRoom;
        if (blocked != null) {
            LockSupport.unpark(blocked);
        }
    }

    /** The batch is somebody else's now, or this process ends. */
    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        try {
            work();
        } catch (SQLException | RuntimeException e) {
            // Its lease lapses, and whoever takes it goes on; not at once, since the reason may last.
            LOG.warn("work on a batch failed here: {}", e.toString());
        }
    }

    private void work() throws SQLException {
        Api api = shop.apis().get(batch.endpoint());
        if (api == null) {
            throw new IllegalStateException("this version does not know the endpoint " + batch.endpoint());
        }
        OptionalInt total = OptionalInt.of(batch.counts().total());
        if (state == State.VALIDATING) {
            total = validated(api);
        }
        if (total.isEmpty() || stopped) {
            return;
        }
        Feed feed = new Feed(shop, lot, api);
        while (state == State.IN_PROGRESS && !overdue && !stopped && !feed.isDone()) {
            feed(feed);
        }
        awaitEnd(feed);
        if (!stopped) {
            end(total.getAsInt());
        }
    }

    /** How many lines there are; empty if the batch has ended or is somebody else's. */
    private OptionalInt validated(Api api) throws SQLException {
        Configuration configuration = shop.shared().switchboard().configuration();
        long lineBytesMax = configuration.http().maxBodyBytes();
        var validation = new Validation(
                new LineReader(shop.files(), batch.input(), lineBytesMax, 0, 0),
                shop.shared().switchboard(),
                batch.owner(),
                api,
                configuration.batches().maxLines(),
                lineBytesMax);
        switch (validation.run(() -> stopped || state != State.VALIDATING)) {
            case Verdict.Stopped() -> {
                return stopped ? OptionalInt.empty() : OptionalInt.of(0);
            }
            case Verdict.Faulty faulty -> {
                if (shop.leases().refuse(batch.id(), LineFault.json(faulty.faults()))) {
                    return OptionalInt.empty();
                }
            }
            case Verdict.Good good -> {
                if (shop.leases().begin(batch.id(), good.lines())) {
                    state = State.IN_PROGRESS;
                    return OptionalInt.of(good.lines());
                }
            }
        }
        return look() ? OptionalInt.of(0) : OptionalInt.empty();
    }

    /** Whether the batch is still this process's. */
    private boolean look() throws SQLException {
        Renewed now = shop.leases().renew(List.of(batch.id())).get(batch.id());
        if (now == null) {
            stopped = true;
        } else {
            saw(now);
        }
        return now != null;
    }

    private void feed(Feed feed) throws SQLException {
        Configuration configuration = shop.shared().switchboard().configuration();
        int most = configuration.batches().waitingMax(configuration.workers());
        int waiting = feed.waiting();
        int free = most - waiting;
        Fed fed = free * 4 >= most || waiting == 0 ? feed.feed(Math.max(1, free)) : Fed.ENOUGH;
        note(feed);
        switch (fed) {
            case ENOUGH -> {
                if (!feed.isDone() && feed.waiting() * 4 > most * 3) {
                    LockSupport.parkNanos(LOOK_NANOS);
                }
            }
            case NO_ROOM -> {
                waitsForRoom = Thread.currentThread();
                LockSupport.parkNanos(LOOK_NANOS);
                waitsForRoom = null;
            }
            case AWAY -> LockSupport.parkNanos(AWAY_NANOS);
            case NOT_OURS -> look();
        }
    }

    /** How many lines are open, if it is time to look. */
    private OptionalInt note(Feed feed) throws SQLException {
        if (System.nanoTime() - noted < NOTE_NANOS) {
            return OptionalInt.empty();
        }
        return noteNow(feed);
    }

    private OptionalInt noteNow(Feed feed) throws SQLException {
        noted = System.nanoTime();
        Optional<Integer> open = shop.leases().progress(batch.id(), feed.safeLine(), feed.safeBytes(), feed.fed());
        stopped |= open.isEmpty();
        return open.isPresent() ? OptionalInt.of(open.get()) : OptionalInt.empty();
    }

    /** Until every line that was fed has ended, by itself or since the batch ends before. */
    private void awaitEnd(Feed feed) throws SQLException {
        OptionalInt open = noteNow(feed);
        while (!stopped && open.isPresent() && open.getAsInt() > 0) {
            if (overdue || state != State.IN_PROGRESS) {
                closeDown();
            } else {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            open = noteNow(feed);
        }
    }

    /** No line is fed any more, and those that are there end. */
    private void closeDown() throws SQLException {
        if (state == State.IN_PROGRESS) {
            finalizing();
        }
        if (stopped) {
            return;
        }
        shop.lines().cancelOpen(batch.id()).forEach(line -> shop.admission().evict(line, Eviction.CANCELLED));
    }

    private void finalizing() throws SQLException {
        if (shop.leases().finalizing(batch.id())) {
            state = State.FINALIZING;
        } else {
            look();
        }
    }

    private void end(int total) throws SQLException {
        if (state == State.IN_PROGRESS) {
            finalizing();
        }
        if (stopped) {
            return;
        }
        // Whoever fed it before may have queued a line in the last moment.
        closeDown();
        int fed = shop.lines().fedUpTo(batch.id(), Integer.MAX_VALUE);
        Optional<LineReader> input = fed < total
                ? Optional.of(new LineReader(shop.files(), batch.input(), Long.MAX_VALUE, 0, 0))
                : Optional.empty();
        boolean isCancelled = state == State.CANCELLING;
        Optional<Result> result = new Assembly(shop.files(), shop.lines(), shop.shared()::nextTask, batch, isCancelled)
                .run(input, () -> stopped);
        if (result.isPresent()) {
            Result done = result.get();
            shop.leases()
                    .finish(
                            batch.id(),
                            done.state(),
                            done.counts(),
                            shop.files(),
                            done.output(),
                            done.errors(),
                            batch.outputLife()
                                    .orElseGet(() -> shop.shared()
                                            .switchboard()
                                            .configuration()
                                            .files()
                                            .retention()));
        }
    }
}
