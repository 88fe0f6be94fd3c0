package dev.sluice.gateway.telemetry;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Amount;
import dev.sluice.admission.Snapshot;
import dev.sluice.admission.Totals;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.TreeMap;

/** The ledger's own counts, read when they are scraped. */
public final class LedgerMetrics {
    private static final double NANOS = 1e9;

    private LedgerMetrics() {}

    public static void register(PrometheusRegistry registry, Admission admission) {
        gauge("admission_waiting", "Tasks that wait, by scope type and mode.", "scope_type", "mode")
                .callback(into -> waiting(admission.snapshot()).forEach((type, counts) -> {
                    into.call(counts[0], type, "sync");
                    into.call(counts[1], type, "async");
                }))
                .register(registry);
        gauge("admission_oldest_wait_seconds", "Wait of the task that has waited longest.")
                .callback(into -> into.call(admission.snapshot().oldestWait().toNanos() / NANOS))
                .register(registry);
        gauge("leases_active", "Amount held in each scope.", "scope_type", "scope_key")
                .callback(into -> admission
                        .snapshot()
                        .scopes()
                        .forEach(scope -> into.call(
                                (double) scope.active() / Amount.ONE,
                                scope.scope().type(),
                                scope.scope().key())))
                .register(registry);
        gauge("reaper_backlog", "Waiting tasks whose waiter or deadline is past and that are not yet removed.", "kind")
                .callback(into -> {
                    Snapshot snapshot = admission.snapshot();
                    into.call(snapshot.expiredWaiterBacklog(), "waiter");
                    into.call(snapshot.expiredDeadlineBacklog(), "deadline");
                })
                .register(registry);
        gauge("dispatch_in_flight", "Requests that run on each provider.", "provider")
                .callback(into -> admission
                        .snapshot()
                        .providers()
                        .forEach(provider -> into.call(provider.inFlight(), provider.id())))
                .register(registry);
        gauge("dispatch_capacity", "Slots of each provider.", "provider", "kind")
                .callback(into -> admission.snapshot().providers().forEach(provider -> {
                    into.call(provider.capacity(), provider.id(), "normal");
                    into.call(provider.longCapacity(), provider.id(), "long");
                }))
                .register(registry);
        CounterWithCallback.builder()
                .name("sluice_admission_decisions_total")
                .help("Decisions of the ledger by outcome.")
                .labelNames("outcome")
                .callback(into -> decisions(admission.totals(), into))
                .register(registry);
        CounterWithCallback.builder()
                .name("sluice_leases_expired_total")
                .help("Leases that ended by expiry instead of release.")
                .callback(into -> into.call((double) admission.totals().leasesExpired()))
                .register(registry);
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
