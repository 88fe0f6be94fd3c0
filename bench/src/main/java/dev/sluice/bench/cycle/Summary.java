package dev.sluice.bench.cycle;

import dev.sluice.bench.report.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Medians and spreads of the rounds, and ratios to the port within each round. */
final class Summary {
    private static final String REFERENCE = "seed";

    private Summary() {}

    static Map<String, Object> print(List<Window> windows) {
        System.out.printf(
                "%n%-16s %7s %-8s %-26s %-22s %-24s %-24s%n",
                "", "callers", "", "cycles/s (min-max)", "x the port", "p50 us", "p99 us");
        Map<String, List<Window>> groups = new LinkedHashMap<>();
        for (Window window : windows) {
            groups.computeIfAbsent(key(window, window.contender()), absent -> new ArrayList<>())
                    .add(window);
        }
        Map<String, Object> summary = new LinkedHashMap<>();
        groups.forEach((name, own) -> {
            Window any = own.getFirst();
            List<Window> reference = groups.getOrDefault(key(any, REFERENCE), List.of());
            Map<String, Object> row = new TreeMap<>();
            Spread rate = spread(own, Window::perSecond);
            row.put("perSecond", rate);
            row.put("p50Micros", spread(own, Window::p50Micros));
            row.put("p99Micros", spread(own, Window::p99Micros));
            row.put("serverCpuMicros", spread(own, Window::serverCpuMicros));
            row.put("jvmCpuMicros", spread(own, Window::jvmCpuMicros));
            row.put("walBytes", spread(own, Window::walBytes));
            String times = "";
            if (reference.size() == own.size()) {
                List<Double> ratios = new ArrayList<>();
                for (int i = 0; i < own.size(); i++) {
                    ratios.add(own.get(i).perSecond() / reference.get(i).perSecond());
                }
                row.put("timesThePort", Spread.of(ratios));
                times = Spread.of(ratios).text();
            }
            summary.put(name, row);
            System.out.printf(
                    "%-16s %7d %-8s %-26s %-22s %-24s %-24s%n",
                    any.setting(),
                    any.callers(),
                    any.contender(),
                    rate.text(),
                    times,
                    latency(own, Window::p50Micros),
                    latency(own, Window::p99Micros));
        });
        return summary;
    }

    private static String key(Window window, String contender) {
        return window.setting() + ", " + window.callers() + " callers, " + contender;
    }

    /** Empty where none was measured. */
    private static String latency(List<Window> windows, ToDoubleFunction<Window> figure) {
        Spread spread = spread(windows, figure);
        return spread.max() == 0 ? "" : spread.text();
    }

    private static Spread spread(List<Window> windows, ToDoubleFunction<Window> figure) {
        return Spread.of(windows.stream().map(figure::applyAsDouble).toList());
    }
}
