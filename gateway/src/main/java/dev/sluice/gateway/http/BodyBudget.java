package dev.sluice.gateway.http;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that all request bodies together may take, {@code http.max-buffered}. */
final class BodyBudget {
    private final AtomicLong used = new AtomicLong();
    private volatile long bytesMax;

    BodyBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    boolean take(long bytes) {
        if (used.addAndGet(bytes) > bytesMax) {
            used.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    void give(long bytes) {
        used.addAndGet(-bytes);
    }

    void resize(long bytes) {
        bytesMax = bytes;
    }

    long used() {
        return used.get();
    }
}
