package dev.sluice.gateway.responses;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls to the database, each on a thread of its own, which costs little: no event loop may wait for it. */
final class Blocking {
    private static final Logger LOG = LoggerFactory.getLogger(Blocking.class);

    private Blocking() {}

    static <T extends @Nullable Object> CompletableFuture<T> call(Callable<T> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        Thread.ofVirtual().name("sluice-response").start(() -> {
            try {
                done.complete(work.call());
            } catch (Exception e) {
                LOG.warn("a client's call about a response failed: {}", e.toString());
                done.completeExceptionally(e);
            }
        });
        return done;
    }
}
