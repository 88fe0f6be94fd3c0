package dev.sluice.bench.cycle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that run cycles one after the other; only those that begin and end within the window count. */
final class Callers {
    private enum Phase {
        WARM,
        MEASURE,
        STOP
    }

    /**
     * Latencies of the cycles of a window in microseconds.
     *
     * @param cycles that began and ended in it
     */
    record Latencies(long cycles, double p50, double p99, double max) {}

    private final Cycle cycle;
    private final int count;
    /** Only ever completed by the first exception of a caller. */
    private final CompletableFuture<Void> failure = new CompletableFuture<>();

    private final List<Thread> threads = new ArrayList<>();
    private final List<Samples> samples = new ArrayList<>();
    private volatile Phase phase = Phase.WARM;

    /** Nanoseconds of one thread's cycles. */
    private static final class Samples {
        private long[] nanos = new long[1024];
        private int size;

        void add(long value) {
            if (size == nanos.length) {
                nanos = Arrays.copyOf(nanos, size * 2);
            }
            nanos[size++] = value;
        }

        long[] all() {
            return Arrays.copyOf(nanos, size);
        }
    }

    Callers(Cycle cycle, int count) {
        this.cycle = cycle;
        this.count = count;
    }

    /** Starts the threads and lets them run for a while. */
    void warm(double seconds) throws ExecutionException, InterruptedException {
        for (int caller = 0; caller < count; caller++) {
            int number = caller;
            Samples own = new Samples();
            samples.add(own);
            threads.add(cycle.caller().name("caller-" + caller).start(() -> loop(number, own)));
        }
        await(seconds);
    }

    void measure(double seconds) throws ExecutionException, InterruptedException {
        phase = Phase.MEASURE;
        await(seconds);
        phase = Phase.STOP;
    }

    Latencies finish() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.isCompletedExceptionally()) {
            failure.join();
        }
        long[] all = samples.stream()
                .flatMapToLong(s -> Arrays.stream(s.all()))
                .sorted()
                .toArray();
        if (all.length == 0) {
            throw new IllegalStateException("no cycle ended within the window");
        }
        return new Latencies(all.length, micros(all, 0.5), micros(all, 0.99), micros(all, 1));
    }

    private static double micros(long[] sorted, double quantile) {
        return sorted[(int) Math.min(sorted.length - 1L, Math.round(quantile * sorted.length))] / 1e3;
    }

    private void loop(int caller, Samples own) {
        try {
            while (phase != Phase.STOP) {
                Phase begun = phase;
                long start = System.nanoTime();
                cycle.run(caller);
                if (begun == Phase.MEASURE && phase == Phase.MEASURE) {
                    own.add(System.nanoTime() - start);
                }
            }
        } catch (Exception e) {
            failure.completeExceptionally(e);
        }
    }

    private void await(double seconds) throws ExecutionException, InterruptedException {
        try {
            failure.get((long) (seconds * 1e9), TimeUnit.NANOSECONDS);
        } catch (TimeoutException allWell) {
            return;
        } catch (ExecutionException failed) {
            phase = Phase.STOP;
            throw failed;
        }
    }
}
