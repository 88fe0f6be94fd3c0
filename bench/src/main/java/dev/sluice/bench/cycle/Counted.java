package dev.sluice.bench.cycle;

import java.util.concurrent.atomic.LongAdder;

/** Counts all cycles of another, those outside of the window too. */
final class Counted implements Cycle {
    private final Cycle cycle;
    private final LongAdder cycles = new LongAdder();

    Counted(Cycle cycle) {
        this.cycle = cycle;
    }

    @Override
    public Thread.Builder caller() {
        return cycle.caller();
    }

    @Override
    public void run(int caller) throws Exception {
        cycle.run(caller);
        cycles.increment();
    }

    @Override
    public void addWaiting(int tasks) throws Exception {
        cycle.addWaiting(tasks);
    }

    double cycles() {
        return cycles.sum();
    }

    @Override
    public void close() {
        cycle.close();
    }
}
