package dev.sluice.bench.peer;

import dev.sluice.bench.load.Load;
import dev.sluice.bench.load.Request;
import dev.sluice.bench.report.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What a gateway adds to the time of one unary request: one connection, nothing else going on, beside no gateway. */
final class Delays {
    private static final String DIRECT = "direct";

    /** One window of one way to the upstream. */
    record Delay(int round, String gateway, double p50Micros, double p99Micros) {}

    private final List<Delay> delays = new ArrayList<>();

    void round(int round, Running upstream, List<Running> gateways, int seconds) {
        measure(round, DIRECT, upstream.port(), seconds);
        gateways.forEach(gateway -> measure(round, gateway.name(), gateway.port(), seconds));
    }

    private void measure(int round, String name, int port, int seconds) {
        try (Load load = new Load(port, Request.unary())) {
            load.connect(1);
            load.runFor(TimeUnit.SECONDS.toNanos(1));
            load.latencies().clear();
            load.runFor(TimeUnit.SECONDS.toNanos(seconds));
            Delay delay = new Delay(
                    round, name, load.latencies().micros(0.5), load.latencies().micros(0.99));
            delays.add(delay);
            System.out.printf(
                    Locale.ROOT,
                    "round %d latency   %-15s p50 %8.1f us, p99 %8.1f us%n",
                    round,
                    name,
                    delay.p50Micros,
                    delay.p99Micros);
        }
    }

    List<Delay> all() {
        return delays;
    }

    /** Prints and answers the medians over the rounds of what each adds to the direct way. */
    Map<String, Object> summary(List<Running> gateways) {
        Map<String, Object> summary = new LinkedHashMap<>();
        for (Running gateway : gateways) {
            List<Double> added = new ArrayList<>();
            List<Double> addedTail = new ArrayList<>();
            for (int i = 0; i < of(DIRECT).size(); i++) {
                Delay direct = of(DIRECT).get(i);
                Delay through = of(gateway.name()).get(i);
                added.add(through.p50Micros - direct.p50Micros);
                addedTail.add(through.p99Micros - direct.p99Micros);
            }
            Spread median = Spread.of(added);
            Spread tail = Spread.of(addedTail);
            System.out.printf(
                    "latency   %-15s adds at the median %s us, at p99 %s us%n",
                    gateway.name(), median.text(), tail.text());
            summary.put(gateway.name(), Map.of("addedP50Micros", median, "addedP99Micros", tail));
        }
        return summary;
    }

    private List<Delay> of(String name) {
        return delays.stream().filter(delay -> delay.gateway.equals(name)).toList();
    }
}
