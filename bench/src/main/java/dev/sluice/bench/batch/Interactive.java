package dev.sluice.bench.batch;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Clients who wait: requests that arrive at random, as many a second on average as was said, whatever the answers. */
final class Interactive implements AutoCloseable {
    private static final String BODY =
            "{\"model\":\"m\",\"max_tokens\":4,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";

    private final Server server;
    private final double perSecond;
    private final Queue<Long> waits = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final Thread arriving =
            Thread.ofPlatform().name("arrivals").daemon().unstarted(this::arrive);
    private volatile boolean stopped;

    Interactive(Server server, double perSecond) {
        this.server = server;
        this.perSecond = perSecond;
    }

    void start() {
        arriving.start();
    }

    private void arrive() {
        SplittableRandom random = new SplittableRandom(7);
        double next = System.nanoTime();
        while (!stopped) {
            next += -Math.log(1 - random.nextDouble()) / perSecond * TimeUnit.SECONDS.toNanos(1);
            while (System.nanoTime() < next) {
                LockSupport.parkNanos((long) next - System.nanoTime());
            }
            ask();
        }
    }

    private void ask() {
        HttpRequest request = HttpRequest.newBuilder(server.uri("/v1/chat/completions"))
                .header("authorization", "Bearer " + Server.KEY)
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(BODY))
                .build();
        open.incrementAndGet();
        var _ = server.client().sendAsync(request, BodyHandlers.ofString()).whenComplete(this::answered);
    }

    private void answered(HttpResponse<String> answer, Throwable failure) {
        open.decrementAndGet();
        if (failure != null || answer.statusCode() != 200) {
            failed.incrementAndGet();
        } else {
            waits.add(Long.parseLong(
                    answer.headers().firstValue("x-sluice-queue-ms").orElseThrow()));
        }
    }

    /** Forgets what was measured: the start is no part of it. */
    void forget() {
        waits.clear();
        failed.set(0);
    }

    /**
     * Time in the queue.
     *
     * @param failed requests without an answer
     */
    record Waits(int requests, int failed, double meanMillis, long p50Millis, long p99Millis, long maxMillis) {}

    Waits waits() {
        long[] sorted = waits.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        if (sorted.length == 0) {
            throw new IllegalStateException("no request was answered");
        }
        return new Waits(
                sorted.length,
                failed.get(),
                Arrays.stream(sorted).average().orElseThrow(),
                sorted[sorted.length / 2],
                sorted[(int) (sorted.length * 0.99)],
                sorted[sorted.length - 1]);
    }

    @Override
    public void close() {
        stopped = true;
        while (arriving.isAlive() || open.get() > 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }
}
