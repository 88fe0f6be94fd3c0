package dev.sluice.bench.tasks;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.bench.cycle.Databases;
import dev.sluice.bench.cycle.Proxy;
import dev.sluice.bench.cycle.ServerCpu;
import dev.sluice.bench.report.Results;
import dev.sluice.bench.report.Spread;
import dev.sluice.bench.report.Target;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** Jobs a second, from the first insert to the last committed end, of each contender in interleaved rounds. */
public final class NoOps {
    private static final int ROUNDS = Results.option("rounds", 5);
    private static final int JOBS = Results.option("jobs", 10_000);
    private static final int WARM = Results.option("warm", 50_000);
    private static final int CALLERS = Results.option("callers", 64);
    private static final int WORKERS = Results.option("workers", 64);
    private static final int CONNECTIONS = Results.option("connections", 64);
    private static final String[] CONTENDERS =
            Results.option("contenders", "db-scheduler,sluice,gateway").split(",");
    private static final String REFERENCE = "db-scheduler";
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long STUCK_NANOS = TimeUnit.MINUTES.toNanos(3);

    private static final boolean COUNTS = Results.option("counts", "no").equals("yes");

    private NoOps() {}

    /** One contender in one round. */
    private record Window(
            String contender,
            int round,
            double perSecond,
            double serverCpuMicros,
            double driverCpuMicros,
            double gatewayCpuMicros) {
        String text() {
            return String.format(
                    Locale.ROOT,
                    "round %d, %-12s %9.1f jobs/s, CPU us a job: server %5.0f driver %5.0f gateway %5.0f",
                    round,
                    contender,
                    perSecond,
                    serverCpuMicros,
                    driverCpuMicros,
                    gatewayCpuMicros);
        }
    }

    public static void main(String[] args) throws Exception {
        if (CALLERS > Jobs.CALLERS_MAX) {
            throw new IllegalArgumentException("callers=" + CALLERS);
        }
        String server = Databases.describe();
        System.out.printf(
                "%s; %d jobs to warm up, %d rounds of %d, %d callers, %d workers%n",
                server, WARM, ROUNDS, JOBS, CALLERS, WORKERS);
        if (COUNTS) {
            count();
            return;
        }
        Map<String, Jobs> open = new LinkedHashMap<>();
        List<Window> windows = new ArrayList<>();
        try {
            for (String contender : CONTENDERS) {
                open.put(contender, open(contender, Databases.port()));
            }
            for (Map.Entry<String, Jobs> contender : open.entrySet()) {
                System.out.printf(
                        Locale.ROOT,
                        "warm-up, %-12s %9.1f jobs/s%n",
                        contender.getKey(),
                        measure(contender.getValue(), WARM));
            }
            for (int round = 1; round <= ROUNDS; round++) {
                for (Map.Entry<String, Jobs> contender : rotated(open, round)) {
                    Window window = window(contender.getKey(), round, contender.getValue());
                    System.out.println(window.text());
                    windows.add(window);
                }
            }
        } finally {
            open.values().forEach(Jobs::close);
        }
        Results results = new Results();
        results.put("server", server);
        results.put("warm", WARM);
        results.put("jobs", JOBS);
        results.put("windows", windows);
        results.put("summary", summary(windows));
        results.write();
        for (String contender : List.of("sluice", "gateway")) {
            List<Double> ratios = ratios(windows, contender);
            Target.atLeast(
                    contender + ": jobs a second over those of " + REFERENCE + ", median",
                    ratios.isEmpty() ? Double.NaN : Spread.of(ratios).median(),
                    1);
        }
    }

    private static Window window(String contender, int round, Jobs jobs) throws Exception {
        long server = ServerCpu.micros();
        long driver = ownCpuMicros();
        long other = jobs.cpuMicros();
        double perSecond = measure(jobs, JOBS);
        return new Window(
                contender,
                round,
                perSecond,
                (double) (ServerCpu.micros() - server) / JOBS,
                (double) (ownCpuMicros() - driver) / JOBS,
                (double) (jobs.cpuMicros() - other) / JOBS);
    }

    /** Without the gateway, which is its child. */
    private static long ownCpuMicros() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1_000;
    }

    /** What each contender asks of the database for a job, through a proxy that counts; its speed says nothing. */
    private static void count() throws Exception {
        for (String contender : CONTENDERS) {
            try (Proxy proxy = new Proxy(Databases.port(), 0);
                    Jobs jobs = open(contender, proxy.port())) {
                measure(jobs, JOBS);
                long statements = proxy.statements();
                long roundTrips = proxy.roundTrips();
                measure(jobs, JOBS);
                System.out.printf(
                        Locale.ROOT,
                        "%-12s %.2f statements, %.2f round trips a job%n",
                        contender,
                        (double) (proxy.statements() - statements) / JOBS,
                        (double) (proxy.roundTrips() - roundTrips) / JOBS);
            }
        }
    }

    private static Jobs open(String contender, int port) throws Exception {
        String database = "tasks_" + contender.replace('-', '_');
        Databases.create(database);
        String url = Databases.url(port, database);
        return switch (contender) {
            case "db-scheduler" -> new SchedulerJobs(url, WORKERS, CONNECTIONS);
            case "sluice" -> new SluiceJobs(url, WORKERS, CONNECTIONS);
            case "gateway" -> new GatewayJobs(url, WORKERS);
            default -> throw new IllegalArgumentException("no contender " + contender);
        };
    }

    private static List<Map.Entry<String, Jobs>> rotated(Map<String, Jobs> open, int round) {
        List<Map.Entry<String, Jobs>> order = new ArrayList<>(open.entrySet());
        java.util.Collections.rotate(order, round);
        return order;
    }

    private static double measure(Jobs jobs, int count) throws Exception {
        long start = System.nanoTime();
        jobs.insert(count, CALLERS);
        while (!jobs.areDone()) {
            if (System.nanoTime() - start > STUCK_NANOS) {
                throw new TimeoutException(jobs.left() + " jobs have not ended");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        if (jobs.left() != 0) {
            throw new IllegalStateException(jobs.left() + " jobs are left in the database");
        }
        return count / seconds;
    }

    private static Map<String, Object> summary(List<Window> windows) {
        Map<String, Object> summary = new LinkedHashMap<>();
        for (String contender : CONTENDERS) {
            List<Window> own = windows.stream()
                    .filter(window -> window.contender().equals(contender))
                    .toList();
            Spread perSecond = Spread.of(own.stream().map(Window::perSecond).toList());
            List<Double> ratios = ratios(windows, contender);
            String ratio = ratios.isEmpty()
                    ? ""
                    : ", x " + REFERENCE + " " + Spread.of(ratios).text();
            System.out.printf("%-12s jobs/s %s%s%n", contender, perSecond.text(), ratio);
            summary.put(contender, perSecond.text() + ratio);
        }
        return summary;
    }

    private static List<Double> ratios(List<Window> windows, String contender) {
        return windows.stream()
                .filter(window -> window.contender().equals(contender))
                .flatMap(window -> windows.stream()
                        .filter(other -> other.contender().equals(REFERENCE) && other.round() == window.round())
                        .map(other -> window.perSecond() / other.perSecond()))
                .toList();
    }
}
