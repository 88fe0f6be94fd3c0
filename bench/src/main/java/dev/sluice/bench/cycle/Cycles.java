package dev.sluice.bench.cycle;

import dev.sluice.bench.report.Results;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Cycles a second of each contender in interleaved rounds: by callers, with a slower network, with a backlog. */
public final class Cycles {
    private static final int ROUNDS = Results.option("rounds", 7);
    private static final int SECONDS = Results.option("seconds", 5);
    private static final int DELAY_MICROS = Results.option("delay", 500);
    private static final int DELAYED_CALLERS = 64;
    private static final int BACKLOG = Results.option("backlog", 100_000);
    private static final int BACKLOG_CALLERS = 16;
    private static final int HOT_WAITING = Results.option("hot", 1_000);
    private static final String[] SETTINGS =
            Results.option("settings", "callers,costs,network,hot,backlog").split(",");

    private final List<Contender> contenders = Arrays.stream(
                    Results.option("contenders", "bare,seed").split(","))
            .map(Contender::named)
            .toList();
    private final List<Integer> callers = Arrays.stream(
                    Results.option("callers", "1,16,128").split(","))
            .map(Integer::valueOf)
            .toList();
    private final Map<Contender, String> databases = new LinkedHashMap<>();
    private final Map<Contender, Cycle> open = new LinkedHashMap<>();
    private final List<Window> windows = new ArrayList<>();
    private final List<Cost> costs = new ArrayList<>();

    private final List<HotScope> hot = new ArrayList<>();

    private Cycles() {}

    public static void main(String[] args) throws Exception {
        System.out.printf("%s; %d rounds of %d s%n", Databases.describe(), ROUNDS, SECONDS);
        Cycles cycles = new Cycles();
        try {
            cycles.run();
        } finally {
            cycles.open.values().forEach(Cycle::close);
        }
    }

    private void run() throws Exception {
        for (Contender contender : contenders) {
            String url = Databases.create(contender.database());
            databases.put(contender, url);
            open.put(contender, contender.open(url, true));
        }
        Pgbench.prepare();
        for (String setting : SETTINGS) {
            switch (setting) {
                case "callers" -> byCallers();
                case "costs" -> costs();
                case "network" -> network();
                case "hot" -> hot();
                case "backlog" -> backlog();
                default -> throw new IllegalArgumentException("no setting " + setting);
            }
        }
        Results results = new Results();
        results.put("server", Databases.describe());
        results.put("seconds", SECONDS);
        results.put("windows", windows);
        results.put("costs", costs);
        results.put("hot", hot);
        results.put("summary", Summary.print(windows));
        results.write();
    }

    private void byCallers() throws Exception {
        for (int round = 1; round <= ROUNDS; round++) {
            for (int count : callers) {
                for (Contender contender : rotated(round)) {
                    add(Window.measure("plain", contender.label(), open(contender), count, round, SECONDS));
                }
                add(new Window("plain", Pgbench.NAME, count, round, pairs(count), 0, 0, 0, 0, 0, 0));
            }
        }
    }

    private static double pairs(int clients) throws IOException {
        return Pgbench.pairsPerSecond(clients, SECONDS);
    }

    private void network() throws Exception {
        try (Proxy proxy = new Proxy(Databases.port(), TimeUnit.MICROSECONDS.toNanos(DELAY_MICROS) / 2)) {
            System.out.printf(
                    Locale.ROOT,
                    "network: SELECT 1 takes %.3f ms direct and %.3f ms through the proxy (medians)%n",
                    RoundTrip.medianMillis(Databases.port()),
                    RoundTrip.medianMillis(proxy.port()));
            Map<Contender, Cycle> slow = new LinkedHashMap<>();
            try {
                for (Contender contender : contenders) {
                    slow.put(contender, contender.open(Databases.url(proxy.port(), contender.database()), false));
                }
                for (int round = 1; round <= ROUNDS; round++) {
                    for (Contender contender : rotated(round)) {
                        Cycle cycle = slow.get(contender);
                        if (cycle != null) {
                            add(Window.measure("network", contender.label(), cycle, DELAYED_CALLERS, round, SECONDS));
                        }
                    }
                }
            } finally {
                slow.values().forEach(Cycle::close);
            }
        }
    }

    /** The backlog stays until the end: this setting comes last. */
    private void backlog() throws Exception {
        for (int waiting : new int[] {0, BACKLOG}) {
            for (Contender contender : contenders) {
                open(contender).addWaiting(waiting);
            }
            for (int round = 1; round <= ROUNDS; round++) {
                for (Contender contender : rotated(round)) {
                    add(Window.measure(
                            "waiting " + waiting, contender.label(), open(contender), BACKLOG_CALLERS, round, SECONDS));
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

    private void hot() throws Exception {
        System.out.printf(
                Locale.ROOT, "hot scope: a bare commit takes %.2f ms (median)%n", RoundTrip.medianCommitMillis());
        for (Contender contender : contenders) {
            Optional<HotQueue.Opening> opening = contender.hotQueue();
            if (opening.isPresent()) {
                String url = Databases.create(contender.database() + "_hot");
                contender.open(url, true).close();
                HotScope scope = HotScope.measure(contender.label(), opening.get(), url, HOT_WAITING, SECONDS);
                hot.add(scope);
                System.out.println(scope.text());
            }
        }
    }

    private Cycle open(Contender contender) {
        Cycle cycle = open.get(contender);
        if (cycle == null) {
            throw new IllegalStateException(contender + " is not open");
        }
        return cycle;
    }

    private List<Contender> rotated(int round) {
        List<Contender> order = new ArrayList<>(contenders);
        Collections.rotate(order, round);
        return order;
    }

    private void add(Window window) {
        windows.add(window);
        System.out.println(window.text());
    }
}
