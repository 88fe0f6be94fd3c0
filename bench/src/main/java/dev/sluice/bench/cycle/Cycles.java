package dev.sluice.bench.cycle;

import dev.sluice.bench.report.Results;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Cycles a second of each contender in interleaved rounds: by callers, with a slower network, with a backlog. */
public final class Cycles {
    private static final int ROUNDS = Results.option("rounds", 7);
    private static final int SECONDS = Results.option("seconds", 5);
    private static final int WARM_SECONDS = Results.option("warm", 8);
    private static final int CALLERS_WARM = 64;
    private static final int DELAY_MICROS = Results.option("delay", 500);
    private static final int DELAYED_CALLERS = 64;
    private static final int BACKLOG = Results.option("backlog", 100_000);
    private static final int BACKLOG_CALLERS = 16;
    private static final int SNAPSHOT_MINUTES = Results.option("minutes", 10);
    private static final int SNAPSHOT_WINDOW_SECONDS = Results.option("minute", 59);
    private static final int HOT_WAITING = Results.option("hot", 1_000);
    private static final String[] SETTINGS = Results.option("settings", "callers,costs,network,hot,replicas,backlog")
            .split(",");

    private final List<Contender> contenders = Arrays.stream(
                    Results.option("contenders", "bare,seed,sluice").split(","))
            .map(Contender::named)
            .toList();
    private final List<Integer> callers = Arrays.stream(
                    Results.option("callers", "1,16,128").split(","))
            .map(Integer::valueOf)
            .toList();
    private final Set<String> warm = new HashSet<>();
    private final List<Window> windows = new ArrayList<>();
    private final List<Cost> costs = new ArrayList<>();
    private final List<HotScope> hot = new ArrayList<>();

    private Cycles() {}

    public static void main(String[] args) throws Exception {
        String server = Databases.describe();
        System.out.printf("%s; %d rounds of %d s%n", server, ROUNDS, SECONDS);
        Cycles cycles = new Cycles();
        for (String setting : SETTINGS) {
            cycles.run(setting);
        }
        Results results = new Results();
        results.put("server", server);
        results.put("seconds", SECONDS);
        results.put("windows", cycles.windows);
        results.put("costs", cycles.costs);
        results.put("hot", cycles.hot);
        results.put("summary", Summary.print(cycles.windows));
        results.write();
        Targets.print(cycles.windows, cycles.hot);
    }

    private void run(String setting) throws Exception {
        switch (setting) {
            case "callers" -> byCallers();
            case "costs" -> costs();
            case "network" -> network();
            case "hot" -> hot();
            case "backlog" -> backlog();
            case "replicas" -> replicas();
            case "snapshot" -> snapshot();
            default -> throw new IllegalArgumentException("no setting " + setting);
        }
    }

    private void byCallers() throws Exception {
        Pgbench.prepare();
        try (Opened opened = Opened.all(contenders, "callers", Databases.port())) {
            for (int round = 1; round <= ROUNDS; round++) {
                for (int count : callers) {
                    measure("plain", opened, count, round);
                    double pairs = Pgbench.pairsPerSecond(count, SECONDS);
                    add(new Window("plain", Pgbench.NAME, count, round, pairs, 0, 0, 0, 0, 0, 0));
                }
            }
        }
    }

    private void costs() throws Exception {
        for (Contender contender : contenders) {
            for (int count : callers) {
                Cost cost = Cost.measure(contender, count, SECONDS);
                costs.add(cost);
                System.out.println(cost.text());
            }
        }
    }

    private void network() throws Exception {
        try (Proxy proxy = new Proxy(Databases.port(), TimeUnit.MICROSECONDS.toNanos(DELAY_MICROS) / 2);
                Opened opened = Opened.all(contenders, "network", proxy.port())) {
            System.out.printf(
                    Locale.ROOT,
                    "network: SELECT 1 takes %.3f ms direct and %.3f ms through the proxy (medians)%n",
                    RoundTrip.medianMillis(Databases.port()),
                    RoundTrip.medianMillis(proxy.port()));
            for (int round = 1; round <= ROUNDS; round++) {
                measure("network", opened, DELAYED_CALLERS, round);
            }
        }
    }

    private void hot() throws Exception {
        for (Contender contender : contenders) {
            Optional<HotQueue.Opening> opening = contender.hotQueue();
            if (opening.isPresent()) {
                String url = Opened.database(contender, "hot", Databases.port());
                HotScope scope = HotScope.measure(contender.label(), opening.get(), url, HOT_WAITING, ROUNDS, SECONDS);
                hot.add(scope);
                System.out.println(scope.text());
            }
        }
    }

    /** Each contender twice, with and without a backlog, so that both are measured in the same rounds. */
    private void backlog() throws Exception {
        try (Opened empty = Opened.all(contenders, "empty", Databases.port());
                Opened full = Opened.all(contenders, "full", Databases.port())) {
            full.addWaiting(BACKLOG);
            for (int round = 1; round <= ROUNDS; round++) {
                measure("waiting 0", empty, BACKLOG_CALLERS, round);
                measure("waiting " + BACKLOG, full, BACKLOG_CALLERS, round);
            }
        }
    }

    /** One engine against two on one database. */
    private void replicas() throws Exception {
        try (Opened opened = new Opened()) {
            String one = Opened.database(Contender.SLUICE, "one", Databases.port());
            String two = Opened.database(Contender.SLUICE, "two", Databases.port());
            opened.add("one", new SluiceCycle(one));
            opened.add("two", new Replicas(List.of(new SluiceCycle(two), new SluiceCycle(two))));
            for (int round = 1; round <= ROUNDS; round++) {
                for (int count : callers) {
                    measure("replicas", opened, count, round);
                }
            }
        }
    }

    /** Churn for minutes while a transaction holds its snapshot, so that no dead row can go; then without it again. */
    private void snapshot() throws Exception {
        try (Opened opened = Opened.all(contenders, "snapshot", Databases.port())) {
            measure("before snapshot", opened, BACKLOG_CALLERS, 1);
            for (Entry<String, Cycle> contender : opened.rotated(0)) {
                String database = Opened.name(Contender.named(contender.getKey()), "snapshot");
                try (HeldSnapshot held = HeldSnapshot.of(Databases.url(Databases.port(), database))) {
                    for (int minute = 1; minute <= SNAPSHOT_MINUTES; minute++) {
                        add(Window.measure(
                                "minute " + minute + " held",
                                contender.getKey(),
                                contender.getValue(),
                                BACKLOG_CALLERS,
                                1,
                                SNAPSHOT_WINDOW_SECONDS));
                    }
                    held.check();
                }
            }
            measure("just after", opened, BACKLOG_CALLERS, 1);
            LockSupport.parkNanos(TimeUnit.MINUTES.toNanos(1));
            measure("a minute after", opened, BACKLOG_CALLERS, 1);
        }
    }

    /** Runs each contender until its code is compiled, so that the first round is like the others. */
    private void warm(Opened opened) throws Exception {
        for (Entry<String, Cycle> contender : opened.rotated(0)) {
            if (warm.add(contender.getKey())) {
                for (int count : List.of(CALLERS_WARM, 1)) {
                    Callers threads = new Callers(contender.getValue(), count);
                    threads.warm(WARM_SECONDS);
                    threads.measure(0.1);
                    threads.finish();
                }
            }
        }
    }

    private void measure(String setting, Opened opened, int count, int round) throws Exception {
        warm(opened);
        for (Entry<String, Cycle> contender : opened.rotated(round)) {
            add(Window.measure(setting, contender.getKey(), contender.getValue(), count, round, SECONDS));
        }
    }

    private void add(Window window) {
        windows.add(window);
        System.out.println(window.text());
    }
}
