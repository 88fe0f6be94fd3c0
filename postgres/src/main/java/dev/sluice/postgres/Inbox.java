package dev.sluice.postgres;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What waits for the next batch. Whoever adds to it takes no lock, and makes a call to the operating system only if the
 * writer sleeps: with many callers on few processors, a queue with a lock cost more than the decisions.
 */
final class Inbox {
    private final ConcurrentLinkedDeque<Op<?>> ops = new ConcurrentLinkedDeque<>();
    private final AtomicReference<@Nullable Thread> asleep = new AtomicReference<>();

    void add(Op<?> op) {
        ops.add(op);
        if (asleep.get() != null) {
            LockSupport.unpark(asleep.getAndSet(null));
        }
    }

    /** Before all others. */
    void putBack(Op<?> op) {
        ops.addFirst(op);
    }

    boolean isEmpty() {
        return ops.isEmpty();
    }

    boolean contains(Op<?> op) {
        return ops.contains(op);
    }

    /** Waits until something is there, so long at most; it may return earlier. For one thread only. */
    void await(long nanos) {
        asleep.set(Thread.currentThread());
        if (ops.isEmpty()) {
            LockSupport.parkNanos(this, nanos);
        }
        asleep.set(null);
    }

    /** Moves operations in their order until there are {@code most}, or one that must be alone. */
    void drain(List<Op<?>> into, int most) {
        while (into.size() < most) {
            Op<?> next = ops.peek();
            if (next == null || (next.isAlone() && !into.isEmpty())) {
                return;
            }
            into.add(ops.remove());
            if (next.isAlone()) {
                return;
            }
        }
    }

    void removeIf(Predicate<Op<?>> which) {
        ops.removeIf(which);
    }

    void forEach(Consumer<Op<?>> each) {
        ops.forEach(each);
    }
}
