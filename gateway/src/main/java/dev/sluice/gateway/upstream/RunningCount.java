package dev.sluice.gateway.upstream;

import java.util.HashMap;
import java.util.Map;

/** How many requests run at an upstream, and the most that ever did, in all and for each API key. */
public final class RunningCount {
    private static final class Tally {
        private int now;
        private int max;
        private long total;
        private long abandoned;
    }

    private final Tally all = new Tally();
    private final Map<String, Tally> byKey = new HashMap<>();

    synchronized void started(String key) {
        start(all);
        start(tally(key));
    }

    private static void start(Tally tally) {
        tally.now++;
        tally.total++;
        tally.max = Math.max(tally.max, tally.now);
    }

    synchronized void ended(String key) {
        all.now--;
        tally(key).now--;
    }

    synchronized void abandoned(String key) {
        all.abandoned++;
        tally(key).abandoned++;
    }

    private Tally tally(String key) {
        return byKey.computeIfAbsent(key, unseen -> new Tally());
    }

    public synchronized int now() {
        return all.now;
    }

    /** The most that ran at any instant. */
    public synchronized int max() {
        return all.max;
    }

    public synchronized int max(String key) {
        return tally(key).max;
    }

    public synchronized long total() {
        return all.total;
    }

    /** Requests whose client closed the connection before the answer was complete. */
    public synchronized long abandoned() {
        return all.abandoned;
    }
}
