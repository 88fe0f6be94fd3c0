package dev.sluice.gateway.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gateway.RunningGateway;
import dev.sluice.gateway.config.Upstream.Simulated;
import dev.sluice.gateway.load.Replay.Result;
import dev.sluice.gateway.upstream.RunningCount;
import dev.sluice.gateway.upstream.SimulatedServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Arrivals come five times as fast, so an answer must take a fifth of its time for the same load: every count of tokens
 * is divided by five, the pace (40 tokens a second) stays. As many requests run at once as in the real five minutes,
 * and a fifth of the bytes flow, in events of eight tokens.
 */
@DisplayName("Five minutes of a real trace at five times its speed")
final class TraceReplayTest {
    private static final int SPEED = 5;
    private static final int LIMIT = 40;
    private static final int CAPACITY = 14;

    private static RunningGateway gateway(String url) {
        return RunningGateway.start("""
                platforms:
                  - id: here
                    providers:
                      - {id: up-1, base-url: "%1$s", api-key: key-1, capacity: %2$d}
                      - {id: up-2, base-url: "%1$s", api-key: key-2, capacity: %2$d}
                      - {id: up-3, base-url: "%1$s", api-key: key-3, capacity: %2$d}
                models:
                  - id: chat
                    served-by:
                      - {platform: here, model: m, concurrency: {limit: %3$d, queue: 2000, max-wait: 5m}}
                groups:
                  - {id: research, keys: [{name: ci, sha256: "${ENV:KEY_SHA256}"}]}
                queueing: {first-byte-grace: 5m}
                """.formatted(url, CAPACITY, LIMIT));
    }

    @Test
    void isServedWithoutAnErrorWithinItsLimits() throws Exception {
        List<TraceRow> rows = TraceRow.read("/traces/azure2023-conv-first-5-minutes.csv");
        assertThat(rows).hasSize(1_445);
        try (SimulatedServer upstream = SimulatedServer.start(
                        new Simulated(Duration.ofMillis(40), 40, 0.1, 0, 8, 2023, OptionalInt.empty()));
                RunningGateway gateway = gateway(upstream.baseUrl());
                Replay replay = new Replay(gateway.port(), SPEED)) {
            List<Result> results = replay.play(rows, SPEED);
            report(results, upstream.count());

            assertThat(results).extracting(Result::fault).containsOnly("");
            assertThat(results).extracting(Result::queueMillis).allMatch(waited -> waited >= 0);
            // Or the limits would not have been put to the test.
            assertThat(results).filteredOn(result -> result.queueMillis() > 0).hasSizeGreaterThan(rows.size() / 10);
            assertThat(upstream.count().total()).isEqualTo(rows.size());
            assertThat(upstream.count().abandoned()).isZero();
            assertThat(upstream.count().max()).isEqualTo(LIMIT);
            for (String key : List.of("key-1", "key-2", "key-3")) {
                assertThat(upstream.count().max(key)).as(key).isEqualTo(CAPACITY);
            }
            gateway.awaitIdle();
        }
    }

    private static void report(List<Result> results, RunningCount count) throws Exception {
        String text = """
                {"trace": "azure2023-conv, first 5 minutes", "speed": %d, "tokens_divided_by": %d, "requests": %d,
                 "errors": %d, "waited": %d,
                 "queue_ms": %s,
                 "total_ms": %s,
                 "sent_late_ms": %s,
                 "most_at_once": %d, "limit": %d, "most_at_once_by_provider": [%d, %d, %d], "capacity": %d}
                """.formatted(
                SPEED,
                SPEED,
                results.size(),
                results.stream().filter(result -> !result.fault().isEmpty()).count(),
                results.stream().filter(result -> result.queueMillis() > 0).count(),
                quantiles(results, Result::queueMillis),
                quantiles(results, Result::totalMillis),
                quantiles(results, Result::lateMillis),
                count.max(),
                LIMIT,
                count.max("key-1"),
                count.max("key-2"),
                count.max("key-3"),
                CAPACITY);
        System.out.print(text);
        Files.writeString(Path.of("target", "trace-replay.json"), text);
    }

    private static String quantiles(List<Result> results, ToLongFunction<Result> value) {
        long[] sorted = results.stream().mapToLong(value).sorted().toArray();
        return "{\"p50\": %d, \"p90\": %d, \"p99\": %d, \"max\": %d}"
                .formatted(at(sorted, 50), at(sorted, 90), at(sorted, 99), sorted[sorted.length - 1]);
    }

    /** The smallest value that {@code percent} of all do not exceed. */
    private static long at(long[] sorted, int percent) {
        return sorted[Math.max(0, (sorted.length * percent + 99) / 100 - 1)];
    }
}
