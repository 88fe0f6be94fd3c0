package dev.sluice.bench.peer;

import dev.sluice.bench.load.Load;
import dev.sluice.bench.load.Request;
import dev.sluice.bench.report.Results;
import dev.sluice.bench.report.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * What a silent open stream costs in memory, and how soon the upstream's connections are closed after all clients left
 * at once.
 */
public final class HeldStreams {
    private static final int STREAMS = Results.option("streams", 2_000);
    private static final int PASSES = Results.option("passes", 3);
    private static final int BATCH = 100;
    private static final int BYTES_MOST = 20 * 1024;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(180);

    /**
     * One pass.
     *
     * @param bytesPerStream of live heap for a JVM, else of anonymous memory
     * @param closedMillis from the first client's close to the last upstream connection's close
     * @param bytesLeft kept after all were closed, over the start; of all streams together
     */
    record Pass(String gateway, int pass, long bytesPerStream, double closedMillis, long bytesLeft) {}

    private HeldStreams() {}

    public static void main(String[] args) throws IOException {
        List<Pass> passes = new ArrayList<>();
        System.out.printf("%d silent streams, %d passes%n", STREAMS, PASSES);
        for (String label : Results.option("peers", "haproxy,nginx,sluice").split(",")) {
            try (Running upstream = Running.upstream(10_000);
                    Running gateway = Running.gateway(Peer.named(label), upstream.port())) {
                passes.addAll(measure(gateway, new UpstreamStats(upstream.port())));
            }
        }
        for (Pass pass : passes) {
            System.out.printf(
                    Locale.ROOT,
                    "%-8s pass %d: %,8d bytes a stream, all upstream connections closed after %.0f ms, %,d bytes left%n",
                    pass.gateway,
                    pass.pass,
                    pass.bytesPerStream,
                    pass.closedMillis,
                    pass.bytesLeft);
        }
        Results results = new Results();
        results.put("streams", STREAMS);
        results.put("passes", passes);
        results.write();
        Target.atMost("sluice: bytes of heap a stream, worst pass", worst(passes, Pass::bytesPerStream), BYTES_MOST);
        Target.atMost(
                "sluice: ms until all upstreams are closed, worst pass", worst(passes, Pass::closedMillis), 1_000);
    }

    private static double worst(List<Pass> passes, ToDoubleFunction<Pass> figure) {
        return passes.stream()
                .filter(pass -> pass.gateway.equals("sluice"))
                .mapToDouble(figure)
                .max()
                .orElse(Double.NaN);
    }

    private static List<Pass> measure(Running gateway, UpstreamStats upstream) {
        warm(gateway);
        Memory memory = Memory.of(gateway);
        long before = memory.bytes();
        List<Pass> passes = new ArrayList<>();
        for (int pass = 1; pass <= PASSES; pass++) {
            long held;
            long leave;
            int cutBefore = upstream.read().streamsCut();
            try (Load load = new Load(gateway.port(), Request.held())) {
                open(load);
                held = memory.bytes();
                leave = System.nanoTime();
            }
            UpstreamStats.Stats after = awaitClosed(upstream);
            if (after.streamsCut() - cutBefore != STREAMS) {
                throw new IllegalStateException(
                        "the upstream saw " + (after.streamsCut() - cutBefore) + " cut streams");
            }
            passes.add(new Pass(
                    gateway.name(),
                    pass,
                    (held - before) / STREAMS,
                    (after.lastCutNanos() - leave) / 1e6,
                    memory.bytes() - before));
        }
        return passes;
    }

    /** Loads the classes and makes the pools of both kinds of request, so that they do not count as streams. */
    private static void warm(Running gateway) {
        for (Request request : Arrays.asList(Request.unary(), Request.stream(5))) {
            try (Load load = new Load(gateway.port(), request)) {
                load.connect(16);
                load.runFor(TimeUnit.SECONDS.toNanos(5));
            }
        }
    }

    private static void open(Load load) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        for (int opened = BATCH; opened <= STREAMS; opened += BATCH) {
            load.connect(BATCH);
            while (load.events() < opened) {
                load.runFor(TimeUnit.MILLISECONDS.toNanos(5));
                if (System.nanoTime() > end) {
                    throw new IllegalStateException(load.events() + " of " + opened + " streams have begun");
                }
            }
        }
    }

    private static UpstreamStats.Stats awaitClosed(UpstreamStats upstream) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            UpstreamStats.Stats stats = upstream.read();
            if (stats.streamsOpen() == 0) {
                return stats;
            }
            if (System.nanoTime() > end) {
                throw new IllegalStateException(stats.streamsOpen() + " upstream streams stay open");
            }
        }
    }
}
