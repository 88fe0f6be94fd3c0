package dev.sluice.bench.ledger;

import dev.sluice.bench.report.Target;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads JMH's results and says of each target whether it is met, or not measured in this run. */
public final class Targets {
    private static final List<String> PROVIDERS = List.of("1", "2", "4", "8");
    private static final double FASTER_LEAST = 100;
    private static final double GROWTH_MOST = 1.5;
    private static final double ALLOCATION_GROWTH_MOST = 1.1;

    private final List<JsonNode> results;

    private Targets(List<JsonNode> results) {
        this.results = results;
    }

    public static void main(String[] arguments) {
        JsonNode all = new JsonMapper().readTree(Path.of(arguments[0]));
        new Targets(StreamSupport.stream(all.spliterator(), false).toList()).print();
    }

    private void print() {
        for (String providers : PROVIDERS) {
            Target.atMost(
                    "empty queue, " + providers + " providers: time, ours over the port's",
                    time("EmptyQueueBenchmark", "engine", "SLUICE", "providers", providers)
                            / time("EmptyQueueBenchmark", "engine", "SEED", "providers", providers),
                    1);
        }
        Target.atLeast(
                "10,000 waiting: time, the port's over ours",
                time("BacklogBenchmark", "engine", "SEED", "waiting", "10000")
                        / time("BacklogBenchmark", "engine", "SLUICE", "waiting", "10000"),
                FASTER_LEAST);
        Target.atMost(
                "100,000 waiting in 50,000 lines: time over that of 100 waiting",
                time("ManyLinesBenchmark", "waiting", "100000") / time("ManyLinesBenchmark", "waiting", "100"),
                GROWTH_MOST);
        Target.atMost(
                "100,000 waiting in 50,000 lines: bytes allocated over those of 100 waiting",
                allocation("ManyLinesBenchmark", "waiting", "100000")
                        / allocation("ManyLinesBenchmark", "waiting", "100"),
                ALLOCATION_GROWTH_MOST);
    }

    /** Nanoseconds an op. */
    private double time(String benchmark, String... parameters) {
        JsonNode result = find(benchmark, parameters);
        if (result == null) {
            return Double.NaN;
        }
        JsonNode metric = result.path("primaryMetric");
        double scale = metric.path("scoreUnit").asString().startsWith("us") ? 1_000 : 1;
        return scale * metric.path("score").asDouble();
    }

    /** Bytes an op. */
    private double allocation(String benchmark, String... parameters) {
        JsonNode result = find(benchmark, parameters);
        return result == null
                ? Double.NaN
                : result.path("secondaryMetrics")
                        .path("gc.alloc.rate.norm")
                        .path("score")
                        .asDouble();
    }

    private @Nullable JsonNode find(String benchmark, String... parameters) {
        for (JsonNode result : results) {
            boolean fits = result.path("benchmark").asString().contains("." + benchmark + ".");
            for (int i = 0; i < parameters.length; i += 2) {
                fits &= parameters[i + 1].equals(
                        result.path("params").path(parameters[i]).asString());
            }
            if (fits) {
                return result;
            }
        }
        return null;
    }
}
