package dev.sluice.bench.cycle;

import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * What one cycle asks of the server, counted on the wire and by the server.
 *
 * @param roundTrips times that a caller's connection waited for an answer
 * @param transactions commits, a cycle
 */
record Cost(
        String contender,
        int callers,
        double statements,
        double roundTrips,
        double transactions,
        double walBytes,
        double serverCpuMicros) {
    private static final long SETTLE_NANOS = 2_000_000_000L;

    static Cost measure(Contender contender, int callers, int seconds) throws Exception {
        try (Proxy proxy = new Proxy(Databases.port(), 0)) {
            String url = Opened.database(contender, "costs", proxy.port());
            String database = Databases.ask(url, "SELECT current_database()");
            Counted counted = new Counted(contender.open(url));
            long transactions = Databases.transactions(database);
            long statements = proxy.statements();
            long roundTrips = proxy.roundTrips();
            Window window;
            try (counted) {
                window = Window.measure("costs", contender.label(), counted, callers, 0, seconds);
                statements = proxy.statements() - statements;
                roundTrips = proxy.roundTrips() - roundTrips;
            }
            // A session adds its commits to the server's count when it ends, which takes it a moment.
            LockSupport.parkNanos(SETTLE_NANOS);
            transactions = Databases.transactions(database) - transactions;
            double cycles = counted.cycles();
            return new Cost(
                    contender.label(),
                    callers,
                    statements / cycles,
                    roundTrips / cycles,
                    transactions / cycles,
                    window.walBytes(),
                    window.serverCpuMicros());
        }
    }

    String text() {
        return String.format(
                Locale.ROOT,
                "costs: %-8s %3d callers: %6.2f statements, %6.2f round trips, %5.2f transactions, %6.0f bytes of WAL,"
                        + " %6.0f us of server CPU a cycle",
                contender,
                callers,
                statements,
                roundTrips,
                transactions,
                walBytes,
                serverCpuMicros);
    }
}
