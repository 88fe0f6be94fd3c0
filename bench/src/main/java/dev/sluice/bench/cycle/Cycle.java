package dev.sluice.bench.cycle;

/** One engine on one database, ready to be asked. Safe for use by many threads. */
interface Cycle extends AutoCloseable {
    /**
     * Asks for one task under two scopes, is told after the commit that it is admitted, releases it and is told after
     * the commit that it is released. The scopes are never full.
     *
     * @param caller 0 to {@link Contender#CALLERS_MAX} - 1; no two threads use the same one at once
     */
    void run(int caller) throws Exception;

    /**
     * The kind of thread its callers are, whatever suits it best: one that blocks in JDBC is cheapest on a platform thread,
     * one that waits for a future on a virtual thread, as in the gateway, where nothing waits on a thread of the system.
     */
    default Thread.Builder caller() {
        return Thread.ofPlatform();
    }

    /** Lets so many tasks wait, blocked, in scopes that no caller uses. */
    void addWaiting(int tasks) throws Exception;

    @Override
    void close();
}
