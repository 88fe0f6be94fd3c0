package dev.sluice.gateway.telemetry;

import dev.sluice.admission.Evicted;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What requests report of themselves; safe for use by many threads and cheap enough for each request. */
public final class Telemetry {
    private static final double NANOS = 1e9;
    private static final double[] WAITS = {.001, .01, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600};
    private static final double[] OVERHEADS = {.00005, .0001, .00025, .0005, .001, .0025, .005, .01, .05, .25, 1};
    private static final double[] FIRST_TOKENS = {.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300};

    private final PrometheusRegistry registry;
    private final Outcomes outcomes = new Outcomes();
    private final Counter requests;
    private final Histogram waits;
    private final Histogram firstTokens;
    private final DistributionDataPoint overhead;
    // Looking a data point up by its labels costs a list and a hash each time.
    private final Map<String, StatusCounters> byRoute = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> waitingByModel = new ConcurrentHashMap<>();
    private final Map<String, DistributionDataPoint> waitsByOutcome = new ConcurrentHashMap<>();
    private final Map<String, DistributionDataPoint> firstTokensByModel = new ConcurrentHashMap<>();

    public Telemetry(PrometheusRegistry registry, String version) {
        this.registry = registry;
        requests = Counter.builder()
                .name("sluice_requests_total")
                .help("Requests by route and status; 499 is a client that left.")
                .labelNames("route", "status")
                .register(registry);
        waits = Histogram.builder()
                .name("sluice_admission_wait_seconds")
                .help("Time in the queue by how it ended.")
                .labelNames("outcome")
                .classicOnly()
                .classicUpperBounds(WAITS)
                .register(registry);
        firstTokens = Histogram.builder()
                .name("sluice_time_to_first_token_seconds")
                .help("From the request's head to the first byte of the upstream's answer, the queue included.")
                .labelNames("model")
                .classicOnly()
                .classicUpperBounds(FIRST_TOKENS)
                .register(registry);
        overhead = Histogram.builder()
                .name("sluice_request_overhead_seconds")
                .help("From the request's head to the call of the upstream, the queue excluded.")
                .classicOnly()
                .classicUpperBounds(OVERHEADS)
                .register(registry);
        GaugeWithCallback.builder()
                .name("sluice_dispatch_queue_length")
                .help("Requests of each model that wait in this process.")
                .labelNames("model")
                .callback(into -> waitingByModel.forEach((model, count) -> into.call((double) count.sum(), model)))
                .register(registry);
        Info build = Info.builder()
                .name("sluice_build_info")
                .help("The running version.")
                .labelNames("version", "java")
                .register(registry);
        build.setLabelValues(version, Runtime.version().toString());
    }

    public PrometheusRegistry registry() {
        return registry;
    }

    public Outcomes outcomes() {
        return outcomes;
    }

    /** The counters of one route, to be kept by it. */
    public StatusCounters route(String route) {
        return byRoute.computeIfAbsent(route, name -> new StatusCounters(name, requests));
    }

    public void admitted(Duration wait) {
        waited("admitted", wait);
    }

    public void evicted(Evicted evicted) {
        waited(
                switch (evicted.reason()) {
                    case QUEUE_TIMEOUT -> "evicted_timeout";
                    case CANCELLED -> "evicted_cancelled";
                    case WAITER_LOST -> "evicted_waiter_lost";
                    case SUPERSEDED, OPERATOR, ROUTE_REMOVED, NO_CAPACITY, AMOUNT_UNSATISFIABLE, SHUTTING_DOWN ->
                        "evicted_other";
                },
                evicted.waited());
    }

    private void waited(String outcome, Duration wait) {
        waitsByOutcome.computeIfAbsent(outcome, name -> waits.labelValues(name)).observe(wait.toNanos() / NANOS);
    }

    public void firstToken(String model, long nanos) {
        firstTokensByModel
                .computeIfAbsent(model, name -> firstTokens.labelValues(name))
                .observe(nanos / NANOS);
    }

    /** A request of the model began to wait, or stopped. */
    public void queued(String model, int change) {
        waitingByModel.computeIfAbsent(model, name -> new LongAdder()).add(change);
    }

    public void overhead(long nanos) {
        overhead.observe(nanos / NANOS);
    }

    /** Reloads are counted where they happen and read when they are scraped. */
    public void reloads(LongSupplier success, LongSupplier failure) {
        CounterWithCallback.builder()
                .name("sluice_config_reload_total")
                .help("Reloads of the configuration by result.")
                .labelNames("result")
                .callback(into -> {
                    into.call((double) success.getAsLong(), "success");
                    into.call((double) failure.getAsLong(), "failure");
                })
                .register(registry);
    }

    /** @param byStatus how many tasks of each status are kept */
    public void tasks(Supplier<Map<String, Long>> byStatus) {
        GaugeWithCallback.builder()
                .name("sluice_tasks")
                .help("Asynchronous tasks that are kept, by status.")
                .labelNames("status")
                .callback(into -> byStatus.get().forEach((status, count) -> into.call((double) count, status)))
                .register(registry);
    }

    /**
     * @param byResult attempts to deliver a webhook's message, by how they ended
     * @param pending messages that are still to be delivered
     * @param dead what failed for good, by kind
     */
    public void webhooks(Supplier<Map<String, Long>> byResult, LongSupplier pending, Supplier<Map<String, Long>> dead) {
        CounterWithCallback.builder()
                .name("sluice_webhook_deliveries_total")
                .help("Attempts to deliver a webhook's message, by result.")
                .labelNames("result")
                .callback(into -> byResult.get().forEach((result, count) -> into.call((double) count, result)))
                .register(registry);
        GaugeWithCallback.builder()
                .name("sluice_webhook_deliveries_pending")
                .help("Messages to webhooks that are still to be delivered, over all gateways.")
                .callback(into -> into.call((double) pending.getAsLong()))
                .register(registry);
        GaugeWithCallback.builder()
                .name("sluice_dead_letters")
                .help("Tasks that failed and messages to webhooks that were given up, over all gateways.")
                .labelNames("kind")
                .callback(into -> dead.get().forEach((kind, count) -> into.call((double) count, kind)))
                .register(registry);
    }

    /** Requests of one route by status. */
    public static final class StatusCounters {
        private static final int STATUS_MIN = 100;
        private static final int STATUS_MAX = 599;

        private final String route;
        private final Counter requests;
        private final Map<Integer, CounterDataPoint> byStatus = new ConcurrentHashMap<>();

        StatusCounters(String route, Counter requests) {
            this.route = route;
            this.requests = requests;
        }

        public void ended(int status) {
            int known = Math.clamp(status, STATUS_MIN, STATUS_MAX);
            byStatus.computeIfAbsent(known, value -> requests.labelValues(route, Integer.toString(value)))
                    .inc();
        }
    }
}
