package dev.sluice.bench.cycle;

import java.util.function.Consumer;

/** One engine with one scope of a small limit that many tasks want. */
interface HotQueue extends AutoCloseable {
    int LIMIT = 8;

    /** Opens it on an empty database; tells {@code started} each task that may run. */
    interface Opening {
        HotQueue open(String url, Consumer<String> started) throws Exception;
    }

    /** Asks for the task under two scopes; returns once it is admitted or waits, durably. */
    void submit(String task) throws Exception;

    /** Releases a running task; returns after the commit. The task may be asked for again. */
    void release(String task) throws Exception;

    @Override
    void close();
}
