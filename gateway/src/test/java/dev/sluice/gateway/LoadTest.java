package dev.sluice.gateway;

import static dev.sluice.gateway.RawClient.chat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.config.Upstream.Simulated;
import dev.sluice.gateway.http.Patience;
import dev.sluice.gateway.upstream.SimulatedServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName(
        "Under load with misbehaving clients and upstreams nothing leaks, and no upstream sees more than its capacity")
final class LoadTest {
    private static final int CLIENTS = 48;
    private static final int REQUESTS = 720;
    // On a busy machine a client's own threads may come late.
    private static final Patience PATIENCE = new Patience(
            Duration.ofSeconds(2),
            Duration.ofSeconds(3),
            Duration.ofSeconds(60),
            Duration.ofMillis(500),
            Duration.ofMillis(500));
    private static final List<Integer> KNOWN = List.of(200, 408, 429, 500, 502, 503, 504);

    private final long seed = System.nanoTime();
    private final AtomicInteger misbehaved = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger runningMax = new AtomicInteger();
    private final Map<String, AtomicInteger> outcomes = new ConcurrentHashMap<>();

    private void misbehave(RawUpstream.Call call) throws IOException, InterruptedException {
        runningMax.accumulateAndGet(running.incrementAndGet(), Math::max);
        int how = misbehaved.getAndIncrement() % 10;
        try {
            switch (how) {
                case 2 -> call.awaitClose();
                case 3 -> {
                    call.write("HTTP/1.1 200 OK\r\n");
                    for (int i = 0; i < 5_000; i++) {
                        call.write("x-more-" + i + ": " + "y".repeat(20) + "\r\n");
                    }
                }
                case 4 -> {
                    call.streamHead();
                    call.chunk("data: {\"x\":");
                }
                case 5 -> {
                    call.streamHead();
                    call.chunk("data: 1\n\n");
                    call.awaitClose();
                }
                default -> {}
            }
        } finally {
            // Before the last byte or the close leaves: whoever sees it may send the next request at once.
            running.decrementAndGet();
        }
        switch (how) {
            case 0, 4 -> call.reset();
            case 1, 2, 3, 5 -> call.close();
            case 6 -> {
                call.write("nonsense\r\n\r\n");
                call.close();
            }
            default -> call.json(how % 2 == 0 ? 500 : 503, "{\"error\":{\"message\":\"no\"}}");
        }
    }

    private static Simulated simulated(int capacity, long seed) {
        return new Simulated(Duration.ofMillis(20), 400, 0.5, 0.05, 2, seed, OptionalInt.of(capacity));
    }

    @Test
    void nothingLeaks() throws Exception {
        System.out.println("seed " + seed);
        try (SimulatedServer one = SimulatedServer.start(simulated(4, seed));
                SimulatedServer two = SimulatedServer.start(simulated(3, seed + 1));
                RawUpstream bad = RawUpstream.start(this::misbehave);
                RunningGateway gateway = RunningGateway.start(
                        """
                        platforms:
                          - id: good
                            providers:
                              - {id: one, base-url: "%s", capacity: 4}
                              - {id: two, base-url: "%s", capacity: 3}
                          - id: bad
                            providers:
                              - {id: three, base-url: "%s", capacity: 5}
                        models:
                          - id: chat
                            served-by: [{platform: good, model: m, concurrency: {limit: 6, queue: 100, max-wait: 60s}}]
                          - id: other
                            served-by: [{platform: bad, model: m, concurrency: {limit: 5, queue: 10, max-wait: 2s}}]
                          - id: either
                            served-by:
                              - {platform: bad, model: m2, concurrency: {limit: 2, queue: 5}}
                              - {platform: good, model: m2, concurrency: {limit: 4, queue: 100}}
                        http: {idle-timeout: 1s}
                        queueing: {first-byte-grace: 100ms}
                        """.formatted(one.baseUrl(), two.baseUrl(), bad.url()) + RunningGateway.groups(), PATIENCE);
                ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            List<Future<?>> done = new ArrayList<>();
            IntStream.range(0, REQUESTS).forEach(i -> done.add(clients.submit(() -> client(gateway, i))));
            for (Future<?> client : done) {
                client.get();
            }

            System.out.println("outcomes " + new TreeMap<>(outcomes));
            gateway.awaitIdle();
            assertThat(one.count().max()).as("at once on one").isBetween(1, 4);
            assertThat(two.count().max()).as("at once on two").isBetween(1, 3);
            assertThat(runningMax.get()).as("at once on three").isBetween(1, 5);
            assertThat(one.count().now() + two.count().now()).isZero();
            assertThat(outcomes.get("200").get())
                    .as("clients that behave are served")
                    .isGreaterThan(REQUESTS / 10);
        }
    }

    private Void client(RunningGateway gateway, int number) throws IOException {
        SplittableRandom random = new SplittableRandom(seed + number);
        String model = List.of("chat", "chat", "either", "other").get(random.nextInt(4));
        boolean stream = random.nextBoolean();
        String request = chat("{\"model\":\"" + model + "\",\"stream\":" + stream
                + ",\"max_tokens\":20,\"messages\":[{\"role\":\"user\",\"content\":\"number " + number + "\"}]}");
        try (RawClient client = RawClient.connect(gateway.port(), random.nextInt(4) == 0 ? 2_048 : 0)) {
            switch (random.nextInt(10)) {
                case 0 -> client.send(request.substring(0, random.nextInt(request.length())));
                case 1 -> client.send(request);
                case 2 -> client.send(request).reset();
                case 3 -> {
                    client.send(request).halfClose();
                    client.rest();
                }
                case 4 -> client.send(request).head();
                case 5 -> {
                    client.send(request.substring(0, request.length() - 10));
                    note(Integer.toString(client.answer().status()));
                }
                default -> note(read(client.send(request)));
            }
        }
        return null;
    }

    private String read(RawClient client) throws IOException {
        RawClient.Answer head = client.head();
        assertThat(head.status()).isIn(KNOWN);
        if (!head.header("transfer-encoding").equals("chunked")) {
            return Integer.toString(head.status());
        }
        StringBuilder seen = new StringBuilder();
        try {
            for (String chunk = client.chunk(); !chunk.isEmpty(); chunk = client.chunk()) {
                seen.append(chunk);
            }
            return "200";
        } catch (IOException cut) {
            assertThat(seen.toString()).as("a stream that is cut says why").contains("data: {\"error\":");
            return "cut with a reason";
        }
    }

    private void note(String outcome) {
        outcomes.computeIfAbsent(outcome, name -> new AtomicInteger()).incrementAndGet();
    }
}
