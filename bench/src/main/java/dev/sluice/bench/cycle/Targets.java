package dev.sluice.bench.cycle;

import dev.sluice.bench.report.Spread;
import dev.sluice.bench.report.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What the durable engine has to reach; each ratio is one within a round, of which the median counts. */
final class Targets {
    private static final String OURS = "sluice";

    private final List<Window> windows;

    private Targets(List<Window> windows) {
        this.windows = windows;
    }

    static void print(List<Window> windows, List<HotScope> hot) {
        Targets targets = new Targets(windows);
        targets.printRates();
        Target.atMost(
                "hot scope: median time from a release to the next start, over that of a bare commit",
                hot.stream()
                        .filter(scope -> scope.contender().equals(OURS))
                        .mapToDouble(scope -> scope.timesCommit().median())
                        .findFirst()
                        .orElse(Double.NaN),
                3);
    }

    private void printRates() {
        Target.atLeast("128 callers: rate over the port's", rates("plain", OURS, "plain", "seed", 128), 60);
        Target.atLeast("16 callers: rate over the port's", rates("plain", OURS, "plain", "seed", 16), 15);
        Target.atLeast(
                "64 callers, slower network: over the port's", rates("network", OURS, "network", "seed", 64), 50);
        Target.atMost(
                "1 caller: latency over two bare commits",
                ratio(Window::p50Micros, "plain", OURS, "plain", "bare", 1),
                2);
        for (int callers : List.of(16, 128)) {
            Target.atLeast(
                    callers + " callers: rate over pgbench's", rates("plain", OURS, "plain", Pgbench.NAME, callers), 3);
            Target.atLeast(
                    callers + " callers: rate of two replicas over that of one",
                    rates("replicas", "two", "replicas", "one", callers),
                    0.75);
        }
        Target.atLeast(
                "100,000 waiting: rate over that of none", rates("waiting 100000", OURS, "waiting 0", OURS, 16), 0.75);
    }

    private double rates(String setting, String contender, String baseSetting, String base, int callers) {
        return ratio(Window::perSecond, setting, contender, baseSetting, base, callers);
    }

    private double ratio(
            ToDoubleFunction<Window> figure,
            String setting,
            String contender,
            String baseSetting,
            String base,
            int callers) {
        List<Double> ratios = new ArrayList<>();
        for (Window own : of(setting, contender, callers)) {
            of(baseSetting, base, callers).stream()
                    .filter(other -> other.round() == own.round())
                    .forEach(other -> ratios.add(figure.applyAsDouble(own) / figure.applyAsDouble(other)));
        }
        return ratios.isEmpty() ? Double.NaN : Spread.of(ratios).median();
    }

    private List<Window> of(String setting, String contender, int callers) {
        return windows.stream()
                .filter(window -> window.setting().equals(setting)
                        && window.contender().equals(contender)
                        && window.callers() == callers)
                .toList();
    }
}
