package dev.sluice.bench.tasks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Callers within the program that takes the jobs: a thread each, which waits for the commit of one before the next. */
final class Callers {
    private Callers() {}

    /** The insert of one job, committed when it returns; at most one call of a caller at once. */
    interface Insert {
        void by(int caller) throws Exception;
    }

    static void insert(int jobs, int callers, Insert insert) {
        AtomicInteger left = new AtomicInteger(jobs);
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            int caller = i;
            var ended = new CompletableFuture<Void>();
            threads.add(ended);
            Thread.ofPlatform().name("caller-" + caller).start(() -> {
                try {
                    while (left.getAndDecrement() > 0) {
                        insert.by(caller);
                    }
                    ended.complete(null);
                } catch (Exception e) {
                    ended.completeExceptionally(e);
                }
            });
        }
        CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)).join();
    }
}
