package dev.sluice.bench.cycle;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * One measured stretch.
 *
 * @param serverCpuMicros of all processes of the server, a cycle
 * @param jvmCpuMicros of this JVM, a cycle: the engine and its callers
 * @param walBytes a cycle
 */
record Window(
        String setting,
        String contender,
        int callers,
        int round,
        double perSecond,
        double p50Micros,
        double p99Micros,
        double maxMicros,
        double serverCpuMicros,
        double jvmCpuMicros,
        double walBytes) {
    private static final double WARM_SECONDS = 1;

    static Window measure(String setting, String name, Cycle cycle, int callers, int round, double seconds)
            throws Exception {
        Callers threads = new Callers(cycle, callers);
        threads.warm(WARM_SECONDS);
        long wal = Databases.walBytes();
        long server = ServerCpu.micros();
        long jvm = ownCpuMicros();
        long start = System.nanoTime();
        threads.measure(seconds);
        double elapsed = (System.nanoTime() - start) / 1e9;
        jvm = ownCpuMicros() - jvm;
        server = ServerCpu.micros() - server;
        wal = Databases.walBytes() - wal;
        Callers.Latencies latencies = threads.finish();
        double cycles = latencies.cycles();
        return new Window(
                setting,
                name,
                callers,
                round,
                cycles / elapsed,
                latencies.p50(),
                latencies.p99(),
                latencies.max(),
                server / cycles,
                jvm / cycles,
                wal / cycles);
    }

    String text() {
        return String.format(
                Locale.ROOT,
                "%-16s %3d callers, round %d, %-8s %9.1f/s, p50 %8.0f us, p99 %8.0f us, CPU us server %6.0f JVM %6.0f",
                setting,
                callers,
                round,
                contender,
                perSecond,
                p50Micros,
                p99Micros,
                serverCpuMicros,
                jvmCpuMicros);
    }

    private static long ownCpuMicros() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                        .getProcessCpuTime()
                / 1_000;
    }
}
