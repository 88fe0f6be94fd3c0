package dev.sluice.gateway.telemetry;

import dev.sluice.postgres.PostgresAdmission;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** How the durable ledger and its database get on. */
public final class DatabaseMetrics {
    private DatabaseMetrics() {}

    public static void register(PrometheusRegistry registry, PostgresAdmission ledger) {
        GaugeWithCallback.builder()
                .name("sluice_ledger_drift")
                .help("Differences between the ledger's memory, tables and journal at the last comparison; always 0.")
                .callback(into -> into.call((double) ledger.drift()))
                .register(registry);
        CounterWithCallback.builder()
                .name("sluice_ledger_drift_found_total")
                .help("Such differences since the start.")
                .callback(into -> into.call((double) ledger.driftTotal()))
                .register(registry);
        GaugeWithCallback.builder()
                .name("sluice_ledger_available")
                .help("Whether the ledger can decide: 0 while its database is away.")
                .callback(into -> into.call(ledger.isAvailable() ? 1 : 0))
                .register(registry);
        GaugeWithCallback.builder()
                .name("sluice_database_snapshot_age_seconds")
                .help("Age of the oldest snapshot that somebody holds in the ledger's database; 0 for none.")
                .callback(into -> into.call(ledger.oldestSnapshot().toMillis() / 1e3))
                .register(registry);
    }
}
