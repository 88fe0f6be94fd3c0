package dev.sluice.bench.cycle;

import dev.sluice.bench.report.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A scope of limit 8 with many waiting: how long from one release to the next start, and how many tasks pass a second
 * when each is released as soon as it starts.
 *
 * @param rounds of releases one at a time, each beside commits measured just before it
 */
record HotScope(String contender, int waiting, List<Round> rounds, double perSecond) {
    private static final int WARM_RELEASES = 1_000;
    private static final int RELEASES = 200;
    private static final int WORKERS = HotQueue.LIMIT;
    private static final long PATIENCE_SECONDS = 60;

    /**
     * @param nextStartMillis median from the call of release to the start of the next task
     * @param commitMillis median of a bare commit
     */
    record Round(double nextStartMillis, double nextStartP99Millis, double commitMillis) {
        double timesCommit() {
            return nextStartMillis / commitMillis;
        }
    }

    static HotScope measure(
            String contender, HotQueue.Opening opening, String url, int waiting, int rounds, int seconds)
            throws Exception {
        LinkedBlockingQueue<String> started = new LinkedBlockingQueue<>();
        try (HotQueue queue = opening.open(url, started::add)) {
            for (int i = 0; i < waiting + HotQueue.LIMIT; i++) {
                queue.submit(UUID.randomUUID().toString());
            }
            oneByOne(queue, started, WARM_RELEASES);
            List<Round> measured = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                double commit = RoundTrip.medianCommitMillis();
                double[] nextStart = oneByOne(queue, started, RELEASES);
                measured.add(new Round(nextStart[RELEASES / 2], nextStart[RELEASES * 99 / 100], commit));
            }
            return new HotScope(contender, waiting, measured, saturated(queue, started, seconds));
        }
    }

    private static double[] oneByOne(HotQueue queue, LinkedBlockingQueue<String> started, int releases)
            throws Exception {
        double[] millis = new double[releases];
        LinkedBlockingQueue<String> running = new LinkedBlockingQueue<>();
        for (int i = 0; i < HotQueue.LIMIT; i++) {
            running.add(take(started));
        }
        for (int i = 0; i < releases; i++) {
            String task = take(running);
            long start = System.nanoTime();
            queue.release(task);
            running.add(take(started));
            millis[i] = (System.nanoTime() - start) / 1e6;
            queue.submit(task);
        }
        started.addAll(running);
        Arrays.sort(millis);
        return millis;
    }

    private static double saturated(HotQueue queue, LinkedBlockingQueue<String> started, int seconds) throws Exception {
        Cycle next = new Cycle() {
            @Override
            public void run(int caller) throws Exception {
                String task = take(started);
                queue.release(task);
                queue.submit(task);
            }

            @Override
            public void addWaiting(int tasks) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void close() {}
        };
        Callers workers = new Callers(next, WORKERS);
        workers.warm(1);
        workers.measure(seconds);
        return (double) workers.finish().cycles() / seconds;
    }

    private static String take(LinkedBlockingQueue<String> tasks) throws InterruptedException {
        String task = tasks.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (task == null) {
            throw new IllegalStateException("no task started within " + PATIENCE_SECONDS + " s");
        }
        return task;
    }

    /** How many bare commits long it takes from a release to the next start, over the rounds. */
    Spread timesCommit() {
        return Spread.of(rounds.stream().map(Round::timesCommit).toList());
    }

    String text() {
        Spread nextStart = Spread.of(rounds.stream().map(Round::nextStartMillis).toList());
        Spread p99 = Spread.of(rounds.stream().map(Round::nextStartP99Millis).toList());
        return String.format(
                Locale.ROOT,
                "hot scope: %-8s %d waiting: next start after %.2f ms (median, p99 %.2f), or %s commits,"
                        + " %.1f/s when saturated",
                contender,
                waiting,
                nextStart.median(),
                p99.median(),
                timesCommit().text(),
                perSecond);
    }
}
