package dev.sluice.postgres;

import dev.sluice.admission.Ask;
import dev.sluice.admission.Change;
import dev.sluice.admission.Claims;
import dev.sluice.admission.Ledger;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderState;
import dev.sluice.admission.Row;
import dev.sluice.admission.Totals;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * This process's copy of the ledger and what it knows beyond the rows: policies, connections to providers, operators'
 * decisions, heartbeats. Its lock guards it and the claims; it is never held during a call to the database.
 */
final class Mirror {
    /** Long ago, but no overflow when it is subtracted. */
    private static final long NEVER = Long.MIN_VALUE / 2;

    private static final long FORGOTTEN_NANOS = TimeUnit.HOURS.toNanos(1);

    final Claims claims = new Claims();
    private final ReentrantLock lock = new ReentrantLock();
    private final Predicate<Ask> isFirm;
    private final Map<String, Boolean> up = new HashMap<>();
    private final Map<String, ProviderState> operated = new HashMap<>();
    private final Map<String, Long> heard = new HashMap<>();
    private volatile long heardAt = NEVER;
    private long decidedAt = NEVER;
    private Policies policies;
    private Ledger ledger;

    Mirror(Policies policies, Predicate<Ask> isFirm) {
        this.policies = policies;
        this.isFirm = isFirm;
        this.ledger = new Ledger(policies, isFirm);
    }

    <T> T read(Function<Ledger, T> view) {
        lock.lock();
        try {
            return view.apply(ledger);
        } finally {
            lock.unlock();
        }
    }

    /** Starts again from the tables; what was decided and not committed is forgotten. */
    void reload(Collection<Row> rows, Map<String, ProviderState> states, long now) {
        lock.lock();
        try {
            Totals counted = ledger.totals();
            ledger = new Ledger(policies, isFirm);
            heard.forEach(ledger::heard);
            ledger.heardAll(heardAt);
            // Microseconds outrun any count of grants, so an epoch that was released long ago does not come again.
            ledger.epochsFrom(now / 1_000);
            for (Row row : rows) {
                ledger.apply(new Change(null, row, Change.Cause.RE_ARMED, null), now);
            }
            operated.clear();
            operated.putAll(states);
            up.forEach((provider, isUp) -> ledger.providerUp(provider, isUp, now));
            operated.forEach((provider, state) -> ledger.operate(provider, state, now));
            // What these two decided on the way must be written like any decision: the next batch takes it.
            ledger.countFrom(counted);
        } finally {
            lock.unlock();
        }
    }

    /** What operators decided about providers, as far as it was decided here or told by the journal. */
    Map<String, ProviderState> operated() {
        lock.lock();
        try {
            return Map.copyOf(operated);
        } finally {
            lock.unlock();
        }
    }

    Duration waiterLease() {
        lock.lock();
        try {
            return policies.queueing().waiterLease();
        } finally {
            lock.unlock();
        }
    }

    void configure(Policies changed, Ledger on, long now) {
        policies = changed;
        on.configure(changed, now);
    }

    void providerUp(String provider, boolean isUp, Ledger on, long now) {
        up.put(provider, isUp);
        on.providerUp(provider, isUp, now);
    }

    void operate(String provider, ProviderState state, Ledger on, long now) {
        operated.put(provider, state);
        on.operate(provider, state, now);
    }

    /** What another process wrote of an operator's decision. */
    void follow(String provider, ProviderState state, Ledger on) {
        operated.put(provider, state);
        on.follow(provider, state);
    }

    /** A heartbeat of a holder, in ledger time. It changes no row, so it needs no batch. */
    void heard(String holder, long until) {
        lock.lock();
        try {
            heard.merge(holder, until, Math::max);
            ledger.heard(holder, until);
        } finally {
            lock.unlock();
        }
    }

    /** Whether no holder but {@code self} lives, as far as was heard. */
    boolean isAlone(String self, long now) {
        lock.lock();
        try {
            return heard.entrySet().stream()
                    .noneMatch(one -> one.getValue() > now && !one.getKey().equals(self));
        } finally {
            lock.unlock();
        }
    }

    /** Every holder that could be heard was heard by {@code now}. */
    void heardAll(long now) {
        lock.lock();
        try {
            heardAt = now;
            ledger.heardAll(now);
            heard.values().removeIf(until -> until < now - FORGOTTEN_NANOS);
        } finally {
            lock.unlock();
        }
    }

    /** When all holders were heard last, in ledger time; long ago if never. */
    long heardAt() {
        return heardAt;
    }

    /**
     * The time to decide at: now, but nobody is judged by heartbeats older than {@code heardMax} nanoseconds. If the
     * process was paused since it last listened, time stands still until it has listened again, since of no time in
     * between it is known who lived. The writer's thread only.
     */
    long decisionTime(long now, long heardMax) {
        decidedAt = now - heardAt <= heardMax ? now : Math.max(decidedAt, heardAt);
        return decidedAt;
    }
}
