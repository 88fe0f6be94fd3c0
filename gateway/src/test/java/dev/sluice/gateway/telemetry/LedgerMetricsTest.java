package dev.sluice.gateway.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Admission;
import dev.sluice.admission.Ask;
import dev.sluice.admission.Demand;
import dev.sluice.admission.MemoryAdmission;
import dev.sluice.admission.Policies;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LedgerMetricsTest {
    private static final Scope GROUP = Scope.userGroup("research");

    private final AtomicInteger looks = new AtomicInteger();
    private final Admission ledger = MemoryAdmission.manual(
            Policies.NONE.with(GROUP, ScopePolicy.limit(1).queue(5)), () -> 0);
    private final Admission counted = (Admission) Proxy.newProxyInstance(
            Admission.class.getClassLoader(), new Class<?>[] {Admission.class}, (proxy, method, arguments) -> {
                looks.addAndGet(method.getName().equals("snapshot") ? 1 : 0);
                return method.invoke(ledger, arguments);
            });

    @Test
    void aScrapeLooksAtTheLedgerOnceSoThatItsFiguresAreOfOneInstant() {
        var registry = new PrometheusRegistry();
        LedgerMetrics.register(registry, counted);
        for (long task = 1; task <= 3; task++) {
            ledger.submit(Ask.sync(new UUID(0, task), "w" + task, "here", 100, List.of(Demand.one(GROUP))));
        }

        MetricSnapshots scraped = registry.scrape();

        assertThat(looks).hasValue(1);
        assertThat(gauge(scraped, "sluice_leases_active")).isEqualTo(1);
        assertThat(gauge(scraped, "sluice_admission_waiting")).isEqualTo(2);
    }

    private static double gauge(MetricSnapshots scraped, String name) {
        return scraped.stream()
                .filter(metric -> metric.getMetadata().getName().equals(name))
                .map(GaugeSnapshot.class::cast)
                .flatMap(metric -> metric.getDataPoints().stream())
                .mapToDouble(GaugeSnapshot.GaugeDataPointSnapshot::getValue)
                .sum();
    }
}
