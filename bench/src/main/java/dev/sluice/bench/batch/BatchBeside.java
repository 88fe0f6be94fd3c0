package dev.sluice.bench.batch;

import dev.sluice.bench.batch.BatchRun.Seen;
import dev.sluice.bench.batch.Interactive.Waits;
import dev.sluice.bench.report.Results;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Whether a large batch takes exactly the capacity that clients who wait leave: their waits with and without it, and the
 * slots in use while it has lines. Then a batch alone, whose gateway is killed in the middle.
 */
public final class BatchBeside {
    private static final int LINES = Results.option("lines", 20_000);
    private static final int SLOTS = Results.option("slots", 16);
    private static final int SERVICE_MILLIS = Results.option("service", 100);
    private static final int SHARE_PERCENT = Results.option("share", 80);
    private static final int SECONDS = Results.option("seconds", 120);
    private static final int KILLED_LINES = Results.option("killed-lines", LINES);
    private static final int WARM_SECONDS = 15;
    private static final double LEAST_ANSWERED = 0.95;
    private static final int SERVICES_ALONE = 2;
    private static final int SERVICES_ALLOWED = 5;

    private BatchBeside() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        double perSecond = SLOTS * 1_000.0 / SERVICE_MILLIS * SHARE_PERCENT / 100;
        System.out.printf(
                Locale.ROOT,
                "%d slots, %d ms a request, clients ask %.0f a second (%d %% of capacity), batch of %,d lines%n",
                SLOTS,
                SERVICE_MILLIS,
                perSecond,
                SHARE_PERCENT,
                LINES);
        Results results = new Results();
        Waits alone;
        Waits beside;
        Seen seen;
        try (Server server = Server.start(SLOTS, SERVICE_MILLIS);
                Interactive clients = new Interactive(server, perSecond)) {
            clients.start();
            pause(WARM_SECONDS);
            clients.forget();
            pause(SECONDS);
            alone = clients.waits();
            print("clients alone", alone);
            requireQuiet(alone, perSecond);
            BatchRun batch = new BatchRun(server, SLOTS, LINES, 0);
            batch.begin();
            pause(WARM_SECONDS);
            clients.forget();
            seen = batch.follow();
            beside = clients.waits();
            print("clients with the batch", beside);
            print("batch", seen);
        }
        double allowed = alone.p99Millis() + SERVICES_ALLOWED * (double) SERVICE_MILLIS / SLOTS;
        results.put("alone", alone);
        results.put("beside", beside);
        results.put("batch", seen);
        results.put("allowedMillis", allowed);
        Optional<Seen> killed = KILLED_LINES > 0 ? Optional.of(killed()) : Optional.empty();
        killed.ifPresent(what -> results.put("killed", what));
        results.write();
        target(
                "p99 of the clients' wait with the batch",
                beside.p99Millis() <= allowed,
                "%d ms, alone %d ms",
                String.format(Locale.ROOT, "at most %.1f ms", allowed),
                beside.p99Millis(),
                alone.p99Millis());
        target(
                "looks at the slots that found all in use while the batch had lines",
                seen.samples() > 0 && seen.fullShare() == 1,
                "%.2f %% of %,d, %.2f slots in use on average, %.1f lines a second of the %.1f that clients leave",
                "all",
                100 * seen.fullShare(),
                seen.samples(),
                seen.meanInFlight(),
                seen.linesPerSecond(),
                SLOTS * 1_000.0 / SERVICE_MILLIS - perSecond);
        target(
                "requests and lines that failed",
                alone.failed() + beside.failed() + seen.failed() == 0,
                "%d",
                "none",
                alone.failed() + beside.failed() + seen.failed());
        if (killed.isEmpty()) {
            System.out.println("NOT MEASURED  results after a kill (each line one)");
        } else {
            Seen after = killed.get();
            target(
                    "results after a kill",
                    after.results() == KILLED_LINES && after.doubled() == 0 && after.failed() == 0,
                    "%,d of %,d lines, %d doubled, %d failed",
                    "each line one",
                    after.results(),
                    KILLED_LINES,
                    after.doubled(),
                    after.failed());
        }
    }

    private static void target(String what, boolean met, String figures, String wanted, Object... values) {
        System.out.printf(
                Locale.ROOT,
                "%s  %s: %s (%s)%n",
                met ? "met   " : "MISSED",
                what,
                String.format(Locale.ROOT, figures, values),
                wanted);
    }

    /** A machine that stalls while the clients are alone would raise what they may wait beside the batch. */
    private static void requireQuiet(Waits alone, double perSecond) {
        if (alone.requests() < LEAST_ANSWERED * perSecond * SECONDS
                || alone.p99Millis() > SERVICES_ALONE * (long) SERVICE_MILLIS) {
            throw new IllegalStateException("this machine is too busy for the clients alone: nothing to compare with");
        }
    }

    private static Seen killed() throws IOException, InterruptedException {
        try (Server server = Server.start(SLOTS, SERVICE_MILLIS)) {
            BatchRun batch = new BatchRun(server, SLOTS, KILLED_LINES, KILLED_LINES / 2);
            batch.begin();
            Seen seen = batch.follow();
            print("batch, its gateway killed and started again", seen);
            return seen;
        }
    }

    private static void print(String what, Waits waits) {
        System.out.printf(
                Locale.ROOT,
                "%-24s %,8d answered, %d failed, wait mean %.1f ms, p50 %d, p99 %d, max %d%n",
                what,
                waits.requests(),
                waits.failed(),
                waits.meanMillis(),
                waits.p50Millis(),
                waits.p99Millis(),
                waits.maxMillis());
    }

    private static void print(String what, Seen seen) {
        System.out.printf(
                Locale.ROOT,
                "%s: %.0f s, slots in use %.2f of %d on average, at least %d, all in %.2f %% of %,d looks, a free one"
                        + " in %d looks running; %.1f lines a second; results of %,d lines, %d doubled, %d failed%n",
                what,
                seen.seconds(),
                seen.meanInFlight(),
                SLOTS,
                seen.least(),
                100 * seen.fullShare(),
                seen.samples(),
                seen.longestIdle(),
                seen.linesPerSecond(),
                seen.results(),
                seen.doubled(),
                seen.failed());
    }

    private static void pause(int seconds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }
}
