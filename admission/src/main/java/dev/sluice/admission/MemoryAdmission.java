package dev.sluice.admission;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * The engine of one process: a {@link Ledger} and a lock. Every decision takes microseconds and nothing survives the
 * process. Claims are completed after the lock is let go, on the thread whose operation decided them.
 */
public final class MemoryAdmission implements Admission {
    private static final System.Logger LOG = System.getLogger(MemoryAdmission.class.getName());
    private static final long AFTER_FAULT_NANOS = 1_000_000_000;
    private static final CompletionStage<Boolean> YES = CompletableFuture.completedStage(true);
    private static final CompletionStage<Boolean> NO = CompletableFuture.completedStage(false);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition earlier = lock.newCondition();
    private final LongSupplier nanos;
    private final Ledger ledger;
    private final LocalClaims claims = new LocalClaims();
    private long sleepsUntil = Long.MIN_VALUE;
    private boolean closed;

    private MemoryAdmission(Policies policies, LongSupplier nanos) {
        this.nanos = nanos;
        this.ledger = new Ledger(policies, ask -> true, claims);
    }

    /** Runs on the system's monotonic clock, with a daemon thread for what time alone does. */
    public static MemoryAdmission start(Policies policies) {
        long origin = System.nanoTime();
        return start(policies, () -> System.nanoTime() - origin);
    }

    /** @param nanos must run at the pace of real time */
    static MemoryAdmission start(Policies policies, LongSupplier nanos) {
        MemoryAdmission admission = new MemoryAdmission(policies, nanos);
        Thread.ofPlatform().name("sluice-ledger-clock").daemon().start(admission::keepTime);
        return admission;
    }

    /** Runs on {@code nanos} and does what is due only inside of operations and {@link #tick}: for tests. */
    public static MemoryAdmission manual(Policies policies, LongSupplier nanos) {
        return new MemoryAdmission(policies, nanos);
    }

    /** Does what is due by now. */
    public void tick() {
        perform(now -> {
            ledger.advance(now);
            return true;
        });
    }

    @Override
    public Turn submit(Ask ask) {
        return claim(ask, now -> ledger.submit(ask, now));
    }

    @Override
    public Turn failOver(Ask ask, long epoch) {
        return claim(ask, now -> ledger.failOver(ask, epoch, now));
    }

    private Turn claim(Ask ask, LongFunction<Decision> decide) {
        Turn turn;
        List<Claim> ended;
        lock.lock();
        try {
            if (closed) {
                return Claims.ended(Rejected.shuttingDown(ask));
            }
            Decision decision = decide.apply(nanos.getAsLong());
            ended = claims.takeEnded();
            turn = claims.turn(decision, decision instanceof Waiting ? ledger.node(ask.task()) : null);
            wakeIfEarlier();
        } finally {
            lock.unlock();
        }
        ended.forEach(Claim::tell);
        return turn;
    }

    @Override
    public CompletionStage<Boolean> confirm(UUID task, long epoch) {
        return answer(now -> ledger.confirm(task, epoch, now));
    }

    @Override
    public CompletionStage<Boolean> release(UUID task, long epoch) {
        return answer(now -> ledger.release(task, epoch, now));
    }

    @Override
    public CompletionStage<Boolean> renew(UUID task, long epoch) {
        return answer(now -> ledger.renew(task, epoch, now));
    }

    @Override
    public Duration leaseLeft(UUID task, long epoch) {
        return perform(now -> ledger.leaseLeft(task, epoch, now));
    }

    @Override
    public CompletionStage<List<Held>> renew(Collection<Held> held) {
        return done(now -> held.stream()
                .filter(one -> !ledger.renew(one.task(), one.epoch(), now))
                .toList());
    }

    @Override
    public CompletionStage<Boolean> renewWaiter(UUID task, String waiter) {
        return answer(now -> ledger.renewWaiter(task, waiter, now));
    }

    @Override
    public CompletionStage<Boolean> renewHolder(String holder) {
        return answer(now -> {
            ledger.renewHolder(holder, now);
            return true;
        });
    }

    @Override
    public CompletionStage<Boolean> detach(UUID task, String waiter) {
        return answer(now -> ledger.detach(task, waiter, now));
    }

    @Override
    public CompletionStage<Optional<Decision>> rebind(Ask ask) {
        return done(now -> ledger.rebind(ask, now));
    }

    @Override
    public CompletionStage<Boolean> cancel(UUID task, Eviction reason) {
        return answer(now -> ledger.cancel(task, reason, now));
    }

    @Override
    public CompletionStage<Boolean> evict(UUID task, Eviction reason) {
        return answer(now -> ledger.evict(task, reason, now));
    }

    @Override
    public CompletionStage<Boolean> handBack(UUID task, long epoch) {
        return answer(now -> ledger.handBack(task, epoch, now));
    }

    @Override
    public CompletionStage<Boolean> changePriority(UUID task, int priority) {
        return answer(now -> ledger.changePriority(task, priority, now));
    }

    @Override
    public CompletionStage<Boolean> configure(Policies policies) {
        return answer(now -> {
            ledger.configure(policies, now);
            return true;
        });
    }

    @Override
    public CompletionStage<Boolean> providerUp(String provider, boolean up) {
        return answer(now -> {
            ledger.providerUp(provider, up, now);
            return true;
        });
    }

    @Override
    public CompletionStage<Boolean> operate(String provider, ProviderState state) {
        return answer(now -> {
            ledger.operate(provider, state, now);
            return true;
        });
    }

    @Override
    public Snapshot snapshot() {
        return perform(now -> {
            ledger.advance(now);
            return ledger.snapshot(now);
        });
    }

    @Override
    public Optional<Explanation> explain(UUID task) {
        return perform(now -> {
            ledger.advance(now);
            return ledger.explain(task, now);
        });
    }

    @Override
    public Optional<Place> place(UUID task) {
        return perform(now -> {
            ledger.advance(now);
            return ledger.place(task, now);
        });
    }

    @Override
    public List<TaskView> list(TaskFilter filter) {
        return perform(now -> {
            ledger.advance(now);
            return ledger.list(filter, now);
        });
    }

    @Override
    public Totals totals() {
        return perform(now -> ledger.totals());
    }

    @Override
    public void close() {
        List<Claim> ended;
        lock.lock();
        try {
            closed = true;
            claims.shutDown(ledger.nodes());
            ended = claims.takeEnded();
            earlier.signalAll();
        } finally {
            lock.unlock();
        }
        ended.forEach(Claim::tell);
    }

    private CompletionStage<Boolean> answer(LongFunction<Boolean> operation) {
        return perform(operation) ? YES : NO;
    }

    private <T> CompletionStage<T> done(LongFunction<T> operation) {
        return CompletableFuture.completedStage(perform(operation));
    }

    private <T> T perform(LongFunction<T> operation) {
        T result;
        List<Claim> ended;
        lock.lock();
        try {
            result = operation.apply(nanos.getAsLong());
            ended = claims.takeEnded();
            wakeIfEarlier();
        } finally {
            lock.unlock();
        }
        ended.forEach(Claim::tell);
        return result;
    }

    private void wakeIfEarlier() {
        if (ledger.nextEvent() < sleepsUntil) {
            earlier.signalAll();
        }
    }

    /** A bug in one decision must not end the clock for all that follow; true if there was one. */
    private boolean tickSafely() {
        try {
            tick();
            return false;
        } catch (RuntimeException | Error bug) {
            LOG.log(System.Logger.Level.ERROR, "the ledger's clock met a fault and goes on", bug);
            return true;
        }
    }

    /** Sleeps until the next event of the ledger, or until an earlier one comes up. */
    private void keepTime() {
        boolean isClosed = false;
        while (!isClosed) {
            boolean failed = tickSafely();
            lock.lock();
            try {
                sleepsUntil = ledger.nextEvent();
                long left = failed ? AFTER_FAULT_NANOS : sleepsUntil - nanos.getAsLong();
                if (!closed && left > 0) {
                    long unused = earlier.awaitNanos(left);
                }
                isClosed = closed;
            } catch (InterruptedException e) {
                isClosed = true;
            } finally {
                sleepsUntil = Long.MIN_VALUE;
                lock.unlock();
            }
        }
    }
}
