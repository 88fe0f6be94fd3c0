package dev.sluice.admission.races;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;

/** Runs actions of several threads against each other in heats that all begin together. */
final class Racers {
    /** Only a thread that hangs needs so long. */
    static final long PATIENCE_SECONDS = 120;

    private Racers() {}

    /** The heat is prepared alone, then all actions run at once, then it is judged alone. */
    static void race(int heats, Runnable prepare, Runnable judge, List<IntConsumer> actions) {
        CyclicBarrier start = new CyclicBarrier(actions.size(), prepare);
        CyclicBarrier finish = new CyclicBarrier(actions.size(), judge);
        List<Runnable> threads = new ArrayList<>();
        for (IntConsumer action : actions) {
            threads.add(() -> {
                for (int heat = 0; heat < heats; heat++) {
                    meet(start);
                    action.accept(heat);
                    meet(finish);
                }
            });
        }
        together(threads);
    }

    static void together(List<Runnable> actions) {
        try (ExecutorService threads = Executors.newFixedThreadPool(actions.size())) {
            List<Future<?>> running = new ArrayList<>();
            actions.forEach(action -> running.add(threads.submit(action)));
            try {
                for (Future<?> each : running) {
                    each.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                }
            } catch (ExecutionException e) {
                threads.shutdownNow();
                throw new AssertionError(e.getCause());
            } catch (TimeoutException | InterruptedException e) {
                threads.shutdownNow();
                throw new AssertionError(e);
            }
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (BrokenBarrierException | TimeoutException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
