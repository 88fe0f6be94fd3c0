package dev.sluice.bench.peer;

import dev.sluice.bench.load.Load;
import dev.sluice.bench.load.Request;
import dev.sluice.bench.report.Results;
import dev.sluice.bench.report.Spread;
import dev.sluice.bench.report.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * CPU time of each gateway per unary request and per SSE event, in interleaved rounds, so that a slow minute of the
 * machine hits all of them.
 */
public final class Peers {
    private static final int CONNECTIONS = Results.option("connections", 64);
    private static final int ROUNDS = Results.option("rounds", 5);
    private static final int SECONDS = Results.option("seconds", 10);
    private static final int WARM_SECONDS = Results.option("warm", 20);
    private static final int WARM_SECONDS_MAX = 180;
    private static final int DELAY_SECONDS_MAX = 5;
    private static final int WARM_UNITS = Results.option("warm-units", 100_000);
    private static final int STREAM_EVENTS = Results.option("events", 500);
    private static final int INTERVAL_MICROS = Results.option("interval", 10_000);

    private enum Kind {
        UNARY,
        SSE_EVENT;

        Request request() {
            return switch (this) {
                case UNARY -> Request.unary();
                case SSE_EVENT -> Request.stream(STREAM_EVENTS);
            };
        }

        long count(Load load) {
            return switch (this) {
                case UNARY -> load.answers();
                case SSE_EVENT -> load.events();
            };
        }

        /** A unary request is read, decided about and relayed; of a stream's event only bytes are moved. */
        double mostOfHaproxy() {
            return switch (this) {
                case UNARY -> 3;
                case SSE_EVENT -> 1.8;
            };
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One window of one gateway.
     *
     * @param units requests or events
     * @param databaseMicrosPerUnit CPU of the PostgreSQL that the gateway started, beside its own; 0 without one
     */
    record Window(
            int round,
            String kind,
            String gateway,
            long units,
            double cpuMicrosPerUnit,
            double databaseMicrosPerUnit,
            double unitsPerSecond) {}

    private final List<Window> windows = new ArrayList<>();
    private final Delays delays = new Delays();

    private Peers() {}

    public static void main(String[] args) throws IOException {
        List<Peer> peers = Arrays.stream(
                        Results.option("peers", "haproxy,nginx,sluice").split(","))
                .map(Peer::named)
                .toList();
        List<Running> gateways = new ArrayList<>();
        try (Running upstream = Running.upstream(INTERVAL_MICROS)) {
            for (Peer peer : peers) {
                gateways.add(Running.gateway(peer, upstream.port()));
            }
            new Peers().run(upstream, gateways);
        } finally {
            gateways.forEach(Running::close);
        }
    }

    private void run(Running upstream, List<Running> gateways) {
        System.out.printf(
                "%d connections, %d rounds of %d s after %d s of warm-up; streams of %d events every %d us%n",
                CONNECTIONS, ROUNDS, SECONDS, WARM_SECONDS, STREAM_EVENTS, INTERVAL_MICROS);
        for (Kind kind : Kind.values()) {
            gateways.forEach(gateway -> warm(kind, gateway));
        }
        for (int round = 1; round <= ROUNDS; round++) {
            List<Running> order = new ArrayList<>(gateways);
            Collections.rotate(order, round);
            for (Kind kind : Kind.values()) {
                for (Running gateway : order) {
                    Window window = measure(round, kind, gateway, SECONDS);
                    windows.add(window);
                    System.out.printf(
                            Locale.ROOT,
                            "round %d %-9s %-15s %8.2f us CPU each, %8.2f of its database, %8.0f/s%n",
                            round,
                            window.kind,
                            window.gateway,
                            window.cpuMicrosPerUnit,
                            window.databaseMicrosPerUnit,
                            window.unitsPerSecond);
                }
            }
            delays.round(round, upstream, order, Math.min(SECONDS, DELAY_SECONDS_MAX));
        }
        Results results = new Results();
        results.put("connections", CONNECTIONS);
        results.put("seconds", SECONDS);
        results.put("split", Results.option("split", "no"));
        results.put("windows", windows);
        results.put("delays", delays.all());
        results.put("summary", summary(gateways));
        results.put("addedLatency", delays.summary(gateways));
        results.write();
        targets();
    }

    private void targets() {
        for (Kind kind : Kind.values()) {
            double ratio = of(kind, "haproxy").isEmpty() || of(kind, "sluice").isEmpty()
                    ? Double.NaN
                    : Spread.of(ratios(kind, "sluice", "haproxy")).median();
            Target.atMost(kind.label() + ": CPU of sluice over that of haproxy, median", ratio, kind.mostOfHaproxy());
        }
    }

    /** A JVM compiles what it has run often enough, so time alone does not warm it on a busy machine. */
    private static void warm(Kind kind, Running gateway) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WARM_SECONDS_MAX);
        try (Load load = new Load(gateway.port(), kind.request())) {
            load.connect(CONNECTIONS);
            load.runFor(TimeUnit.SECONDS.toNanos(WARM_SECONDS));
            while (kind.count(load) < WARM_UNITS && System.nanoTime() < end) {
                load.runFor(TimeUnit.SECONDS.toNanos(1));
            }
            System.out.printf("warmed %s of %s with %d%n", kind.label(), gateway.name(), kind.count(load));
        }
    }

    private static Window measure(int round, Kind kind, Running gateway, int seconds) {
        try (Load load = new Load(gateway.port(), kind.request())) {
            load.connect(CONNECTIONS);
            load.runFor(TimeUnit.SECONDS.toNanos(1));
            long cpuBefore = gateway.cpuMicros();
            long databaseBefore = gateway.databaseCpuMicros();
            long unitsBefore = kind.count(load);
            long start = System.nanoTime();
            load.runFor(TimeUnit.SECONDS.toNanos(seconds));
            double elapsed = (System.nanoTime() - start) / 1e9;
            long cpu = gateway.cpuMicros() - cpuBefore;
            long database = gateway.databaseCpuMicros() - databaseBefore;
            long units = kind.count(load) - unitsBefore;
            return new Window(
                    round,
                    kind.label(),
                    gateway.name(),
                    units,
                    (double) cpu / units,
                    (double) database / units,
                    units / elapsed);
        }
    }

    private Map<String, Object> summary(List<Running> gateways) {
        Map<String, Object> summary = new LinkedHashMap<>();
        System.out.printf(
                "%n%-9s %-15s %-24s %-22s %-22s %s%n",
                "", "", "CPU us each (min-max)", "of its database", "x the first gateway", "per second (min-max)");
        for (Kind kind : Kind.values()) {
            String first = gateways.getFirst().name();
            for (Running gateway : gateways) {
                List<Window> own = of(kind, gateway.name());
                Spread cpu =
                        Spread.of(own.stream().map(Window::cpuMicrosPerUnit).toList());
                Spread ratio = Spread.of(ratios(kind, gateway.name(), first));
                Spread rate = Spread.of(own.stream().map(Window::unitsPerSecond).toList());
                Spread database = Spread.of(
                        own.stream().map(Window::databaseMicrosPerUnit).toList());
                System.out.printf(
                        "%-9s %-15s %-24s %-22s %-22s %s%n",
                        kind.label(),
                        gateway.name(),
                        cpu.text(),
                        database.max() == 0 ? "" : database.text(),
                        ratio.text(),
                        rate.text());
                summary.put(
                        kind.label() + " " + gateway.name(),
                        Map.of("cpuMicros", cpu, "databaseCpuMicros", database, "ratio", ratio, "perSecond", rate));
            }
        }
        return summary;
    }

    private List<Window> of(Kind kind, String gateway) {
        return windows.stream()
                .filter(w -> w.kind.equals(kind.label()) && w.gateway.equals(gateway))
                .toList();
    }

    /** CPU of a gateway over that of another, round by round. */
    private List<Double> ratios(Kind kind, String gateway, String base) {
        List<Window> own = of(kind, gateway);
        List<Window> others = of(kind, base);
        return IntStream.range(0, own.size())
                .mapToObj(i -> own.get(i).cpuMicrosPerUnit() / others.get(i).cpuMicrosPerUnit())
                .toList();
    }
}
