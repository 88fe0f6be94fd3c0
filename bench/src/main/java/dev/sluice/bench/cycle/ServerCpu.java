package dev.sluice.bench.cycle;

import dev.sluice.bench.process.Cpu;
import dev.sluice.bench.report.Results;

/** The CPU of the server that bench/run started. */
public final class ServerCpu {
    private static final int POSTMASTER = Results.option("postmaster", 0);

    private ServerCpu() {}

    /** Of all its processes so far, in microseconds. */
    public static long micros() {
        return ProcessHandle.of(POSTMASTER)
                .map(Cpu::microsWithReaped)
                .orElseThrow(() -> new IllegalStateException("no server process " + POSTMASTER));
    }
}
