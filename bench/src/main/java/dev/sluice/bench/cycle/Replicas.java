package dev.sluice.bench.cycle;

import java.util.List;

/** Several engines on one database, callers dealt out in turn: what sharing costs. */
final class Replicas implements Cycle {
    private final List<Cycle> engines;

    Replicas(List<Cycle> engines) {
        this.engines = List.copyOf(engines);
    }

    @Override
    public Thread.Builder caller() {
        return engines.getFirst().caller();
    }

    @Override
    public void run(int caller) throws Exception {
        engines.get(caller % engines.size()).run(caller);
    }

    @Override
    public void addWaiting(int tasks) throws Exception {
        engines.getFirst().addWaiting(tasks);
    }

    @Override
    public void close() {
        engines.forEach(Cycle::close);
    }
}
