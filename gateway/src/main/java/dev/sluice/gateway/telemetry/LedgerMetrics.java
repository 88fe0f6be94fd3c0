package dev.sluice.gateway.telemetry;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Amount;
import dev.sluice.admission.Snapshot;
import dev.sluice.admission.Totals;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The ledger's own counts. Each scrape looks once, so that all its figures are of one instant. */
public final class LedgerMetrics implements MultiCollector {
    private static final double NANOS = 1e9;

    private final Admission admission;

    private LedgerMetrics(Admission admission) {
        this.admission = admission;
    }

    public static void register(PrometheusRegistry registry, Admission admission) {
        registry.register(new LedgerMetrics(admission));
    }

    @Override
    public MetricSnapshots collect() {
        return Stream.concat(gauges(admission.snapshot()), counters(admission.totals()))
                .map(Collector::collect)
                .collect(Collectors.collectingAndThen(Collectors.toList(), MetricSnapshots::new));
    }

    private static Stream<Collector> gauges(Snapshot snapshot) {
        return Stream.of(
                gauge("admission_waiting", "Tasks that wait, by scope type and mode.", "scope_type", "mode")
                        .callback(into -> waiting(snapshot).forEach((type, counts) -> {
                            into.call(counts[0], type, "sync");
                            into.call(counts[1], type, "async");
                        }))
                        .build(),
                gauge("admission_oldest_wait_seconds", "Wait of the task that has waited longest.")
                        .callback(into -> into.call(snapshot.oldestWait().toNanos() / NANOS))
                        .build(),
                gauge("leases_active", "Amount held in each scope.", "scope_type", "scope_key")
                        .callback(into -> snapshot.scopes()
                                .forEach(scope -> into.call(
                                        (double) scope.active() / Amount.ONE,
                                        scope.scope().type(),
                                        scope.scope().key())))
                        .build(),
                gauge(
                                "reaper_backlog",
                                "Waiting tasks whose waiter or deadline is past and that are not yet removed.",
                                "kind")
                        .callback(into -> {
                            into.call(snapshot.expiredWaiterBacklog(), "waiter");
                            into.call(snapshot.expiredDeadlineBacklog(), "deadline");
                        })
                        .build(),
                gauge("dispatch_in_flight", "Requests that run on each provider.", "provider")
                        .callback(into ->
                                snapshot.providers().forEach(provider -> into.call(provider.inFlight(), provider.id())))
                        .build(),
                gauge("dispatch_capacity", "Slots of each provider.", "provider", "kind")
                        .callback(into -> snapshot.providers().forEach(provider -> {
                            into.call(provider.capacity(), provider.id(), "normal");
                            into.call(provider.longCapacity(), provider.id(), "long");
                            into.call(provider.reserve().sync(), provider.id(), "reserved_interactive");
                            into.call(provider.reserve().async(), provider.id(), "reserved_background");
                        }))
                        .build());
    }

    private static Stream<Collector> counters(Totals totals) {
        return Stream.of(
                CounterWithCallback.builder()
                        .name("sluice_admission_decisions_total")
                        .help("Decisions of the ledger by outcome.")
                        .labelNames("outcome")
                        .callback(into -> decisions(totals, into))
                        .build(),
                CounterWithCallback.builder()
                        .name("sluice_leases_expired_total")
                        .help("Leases that ended by expiry instead of release.")
                        .callback(into -> into.call((double) totals.leasesExpired()))
                        .build());
    }

    private static GaugeWithCallback.Builder gauge(String name, String help, String... labels) {
        return GaugeWithCallback.builder().name("sluice_" + name).help(help).labelNames(labels);
    }

    private static Map<String, double[]> waiting(Snapshot snapshot) {
        Map<String, double[]> byType = new TreeMap<>();
        snapshot.scopes().forEach(scope -> {
            double[] counts = byType.computeIfAbsent(scope.scope().type(), type -> new double[2]);
            counts[0] += scope.waitingSync();
            counts[1] += scope.waitingAsync();
        });
        return byType;
    }

    private static void decisions(Totals totals, CounterWithCallback.Callback into) {
        into.call((double) totals.admitted(), "admitted");
        into.call((double) totals.rejectedQueueFull(), "rejected_queue_full");
        into.call((double) totals.rejectedConcurrency(), "rejected_concurrency");
        into.call((double) totals.rejectedOther(), "rejected_other");
        into.call((double) totals.evictedTimeout(), "evicted_timeout");
        into.call((double) totals.evictedCancelled(), "evicted_cancelled");
        into.call((double) totals.evictedWaiterLost(), "evicted_waiter_lost");
        into.call((double) totals.evictedOther(), "evicted_other");
    }
}
