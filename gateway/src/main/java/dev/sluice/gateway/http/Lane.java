package dev.sluice.gateway.http;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Held;
import dev.sluice.gateway.upstream.Outlet;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One event loop and all it owns: its upstream connections, the exchanges in progress on it and the one timer that looks
 * after their time bounds. Nothing in here is shared between threads.
 */
final class Lane {
    static final long TICK_MILLIS = 250;
    private static final long STALL_NANOS = Duration.ofMillis(3 * TICK_MILLIS).toNanos();
    private static final long RENEWALS_PER_TTL = 3;

    private final Vertx vertx;
    private final Context context;
    private final Thread thread = Thread.currentThread();
    private final Shared shared;
    private final Outlet outlet;
    private final MessageDigest sha256 = Keyring.sha256();
    private final List<Exchange> exchanges = new ArrayList<>();
    private final List<Errand> errands = new ArrayList<>();
    private final Set<Follower> followers = new LinkedHashSet<>();
    private final ClientConnections connections;
    private List<Answer> unflushed = new ArrayList<>();
    private List<Answer> flushing = new ArrayList<>();
    private long now = System.nanoTime();
    private long claims;
    private int resourceCalls;

    Lane(Vertx vertx, Context context, Shared shared) {
        this.vertx = vertx;
        this.context = context;
        this.shared = shared;
        this.outlet = Outlet.open(
                vertx,
                shared.switchboard().configuration().http(),
                shared.patience().parting());
        this.connections = new ClientConnections(shared.patience().idle());
        vertx.setPeriodic(TICK_MILLIS, fired -> tick());
    }

    Vertx vertx() {
        return vertx;
    }

    Context context() {
        return context;
    }

    Outlet outlet() {
        return outlet;
    }

    Shared shared() {
        return shared;
    }

    Admission admission() {
        return shared.admission();
    }

    Switchboard switchboard() {
        return shared.switchboard();
    }

    Patience patience() {
        return shared.patience();
    }

    boolean draining() {
        return shared.draining();
    }

    MessageDigest sha256() {
        return sha256;
    }

    /** The monotonic time of the last tick, good to {@link #TICK_MILLIS}: enough for time bounds, and free. */
    long now() {
        return now;
    }

    /** The longest silence of an upstream. */
    long idleNanos() {
        return switchboard().configuration().http().idleTimeout().toNanos();
    }

    long bodyBytesMax() {
        return switchboard().configuration().http().maxBodyBytes();
    }

    String nextWaiter() {
        return shared.holder() + '-' + System.identityHashCode(this) + '-' + claims++;
    }

    /** Runs on this loop: at once when already there. */
    void run(Runnable step) {
        if (Thread.currentThread() == thread) {
            step.run();
        } else {
            context.runOnContext(later -> step.run());
        }
    }

    /**
     * Writes after what is being read now has been read: many small chunks that came together leave together, in one
     * call to the system.
     */
    void flushSoon(Answer answer) {
        if (unflushed.isEmpty()) {
            context.runOnContext(later -> flush());
        }
        unflushed.add(answer);
    }

    private void flush() {
        List<Answer> now = unflushed;
        unflushed = flushing;
        flushing = now;
        try {
            now.forEach(Answer::flush);
        } finally {
            // Whatever happens to one, the next chunk of any must be able to ask for a flush.
            now.clear();
        }
    }

    int openConnections() {
        return connections.count();
    }

    /** Connections that may still bring a request, or wait for an answer. */
    int lively() {
        return connections.lively(System.nanoTime());
    }

    void stopListening() {
        connections.stopListening();
    }

    /** At the end counts when exactly a connection was used last. */
    private long lastSign() {
        return draining() ? System.nanoTime() : now;
    }

    void opened(HttpConnection connection) {
        connections.opened(connection, lastSign());
        Pipelining.on(connection, () -> brokenBody(connection), this::draining);
    }

    /** A request other than an exchange came. */
    void used(HttpConnection connection) {
        connections.used(connection, lastSign());
    }

    private boolean brokenBody(HttpConnection connection) {
        for (Exchange exchange : exchanges) {
            if (exchange.reads() && exchange.connection().equals(connection)) {
                exchange.refused(Problems.brokenBody());
                return true;
            }
        }
        return false;
    }

    void add(Exchange exchange) {
        exchange.place = exchanges.size();
        exchanges.add(exchange);
        connections.busy(exchange.connection());
    }

    void remove(Exchange exchange) {
        int last = exchanges.size() - 1;
        Exchange moved = exchanges.get(last);
        exchanges.set(exchange.place, moved);
        moved.place = exchange.place;
        exchanges.remove(last);
        connections.free(exchange.connection(), lastSign());
    }

    void add(Errand errand) {
        errands.add(errand);
    }

    void remove(Errand errand) {
        errands.remove(errand);
    }

    void add(Follower follower) {
        followers.add(follower);
        connections.busy(follower.connection());
    }

    void remove(Follower follower) {
        followers.remove(follower);
        connections.free(follower.connection(), lastSign());
    }

    int running() {
        return exchanges.size() + resourceCalls;
    }

    /** A request that calls no upstream, and may take its time all the same. */
    void begin(HttpConnection connection) {
        resourceCalls++;
        connections.busy(connection);
    }

    void end(HttpConnection connection) {
        resourceCalls--;
        connections.free(connection, lastSign());
    }

    void drain() {
        List.copyOf(followers).forEach(Follower::stop);
        for (Exchange exchange : List.copyOf(exchanges)) {
            exchange.drain();
        }
    }

    /** Ends what still runs when the time to drain is over. */
    void cut() {
        for (Exchange exchange : List.copyOf(exchanges)) {
            exchange.cut();
        }
    }

    /** The configuration changed. */
    void recheck() {
        for (Exchange exchange : List.copyOf(exchanges)) {
            exchange.recheck();
        }
    }

    /** Whether the key of these headers may use the route now. */
    boolean mayAsk(MultiMap headers, Route route) {
        return switchboard()
                .keyring()
                .tenant(headers, sha256)
                .filter(caller -> caller.mayUse(route))
                .isPresent();
    }

    private void tick() {
        long before = now;
        now = System.nanoTime();
        renew();
        if (now - before > STALL_NANOS) {
            // This loop itself was late: what others sent in time is read before anybody is judged.
            vertx.setTimer(1, afterReading -> judge());
        } else {
            judge();
        }
    }

    private void judge() {
        now = System.nanoTime();
        connections.closeIdle(now);
        // From the end, since an exchange that ends during its tick is replaced by the last one.
        for (int i = exchanges.size() - 1; i >= 0; i--) {
            if (i < exchanges.size()) {
                exchanges.get(i).tick(now);
            }
        }
        for (Errand errand : List.copyOf(errands)) {
            errand.passage().tick(now);
        }
        for (Follower follower : List.copyOf(followers)) {
            follower.tick(now);
        }
    }

    private void renew() {
        Map<Held, Passage> renewals = new HashMap<>();
        for (Exchange exchange : exchanges) {
            Passage passage = exchange.passage();
            if (passage != null) {
                renewal(passage, renewals);
            }
        }
        for (Errand errand : errands) {
            renewal(errand.passage(), renewals);
        }
        if (!renewals.isEmpty()) {
            long asked = now;
            // An outage is no loss: the next third of the TTL tries again.
            admission()
                    .renew(renewals.keySet())
                    .thenAccept(lost -> run(() -> renewed(renewals, Set.copyOf(lost), asked)));
        }
    }

    private void renewal(Passage passage, Map<Held, Passage> into) {
        passage.renewal(now, RENEWALS_PER_TTL).ifPresent(held -> into.put(held, passage));
    }

    private static void renewed(Map<Held, Passage> renewals, Set<Held> lost, long asked) {
        renewals.forEach((held, passage) -> {
            if (!lost.contains(held)) {
                passage.renewed(held, asked);
            } else {
                passage.leaseLost(held);
            }
        });
    }

    void close() {
        outlet.close();
    }
}
