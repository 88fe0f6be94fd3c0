package dev.sluice.postgres.embedded;

/** Sends signals to processes of a test: its children, and the servers of its connections. */
public final class Signal {
    private Signal() {}

    /** @param name without SIG, for example STOP */
    public static void send(String name, long pid) {
        Shell.kill(name, pid);
    }
}
