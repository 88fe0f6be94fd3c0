package dev.sluice.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.DispatchPolicy;
import dev.sluice.admission.Ordering;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.QueueingPolicy;
import dev.sluice.admission.RoutePolicy;
import dev.sluice.admission.Scope;
import dev.sluice.admission.ScopePolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The configuration in the ledger's words")
class LedgerPoliciesTest {
    private static final Scope LLAMA = Scope.platformModel("on-prem", "meta-llama/Llama-3.3-70B-Instruct");
    private static final Scope SIM_LARGE = Scope.platformModel("play", "sim-large");
    private static final Scope SIM_SMALL = Scope.platformModel("play", "sim-small");

    private final Policies policies = LedgerPolicies.of(Example.good(Example.FULL));

    @Test
    void limitsAreThousandthsAndEachScopeHasItsOwn() {
        Duration twoMinutes = Duration.ofMinutes(2);
        Duration tenMinutes = Duration.ofMinutes(10);
        assertThat(policies.scopes())
                .containsOnly(
                        Map.entry(LLAMA, scope(16_000, 100, Duration.ofSeconds(60), twoMinutes, LLAMA.key())),
                        Map.entry(SIM_LARGE, scope(64_000, 0, tenMinutes, twoMinutes, SIM_LARGE.key())),
                        Map.entry(SIM_SMALL, scope(0, 0, tenMinutes, twoMinutes, SIM_SMALL.key())),
                        Map.entry(
                                Scope.userGroup("research"),
                                scope(10_000, 50, Duration.ofSeconds(30), twoMinutes, "research")),
                        Map.entry(Scope.userGroup("guests"), scope(0, 0, tenMinutes, twoMinutes, "guests")),
                        Map.entry(Scope.workerCapacity(), ScopePolicy.limit(16)));
    }

    @Test
    void providersKeepCapacityPreferenceAndSwitch() {
        Policies changed = LedgerPolicies.of(Example.good(Example.FULL
                .replace("priority: 0", "priority: 3")
                .replace("enabled: true", "enabled: false\n        reserve: {interactive: 3, background: 1}")));

        assertThat(changed.providers())
                .containsOnly(
                        Map.entry("gpu-a", new ProviderPolicy("gpu-a", 8, 2, 3, false).reserving(3, 1)),
                        Map.entry("gpu-b", new ProviderPolicy("gpu-b", 8, 0, 0, true)),
                        Map.entry("sim", new ProviderPolicy("sim", 4, 0, 0, true)));
    }

    @Test
    void aModelIsARouteWhoseLaterEntriesWaitForTheSpillOfEarlierOnes() {
        assertThat(policies.routes())
                .containsOnly(
                        Map.entry(
                                "chat-large",
                                new RoutePolicy(
                                        "chat-large",
                                        List.of(
                                                new RoutePolicy.Entry(LLAMA, List.of("gpu-a", "gpu-b"), Duration.ZERO),
                                                new RoutePolicy.Entry(
                                                        SIM_LARGE, List.of("sim"), Duration.ofSeconds(5))),
                                        Optional.of(new DispatchPolicy(8, Duration.ofSeconds(5))))),
                        Map.entry("chat-small", RoutePolicy.of("chat-small", SIM_SMALL, List.of("sim"))));
    }

    @Test
    void aLaterEntryNeverBecomesACandidateBeforeAnEarlierOne() {
        String three = Example.FULL.replace(
                "      - {platform: play, model: sim-large, concurrency: {limit: 64}}\n", """
                      - {platform: play, model: second, spill-after: 2s}
                      - {platform: play, model: third}
                """.indent(0));

        assertThat(LedgerPolicies.of(Example.good(three)).routes().get("chat-large"))
                .extracting(RoutePolicy::entries)
                .satisfies(entries -> assertThat(entries)
                        .extracting(RoutePolicy.Entry::spillAfter)
                        .containsExactly(Duration.ZERO, Duration.ofSeconds(5), Duration.ofSeconds(5)));
    }

    @Test
    void queueingAndDispatchApplyToAll() {
        Policies strict = LedgerPolicies.of(Example.good(Example.FULL
                .replace("ordering: work-conserving", "ordering: strict")
                .replace("max-overtakes: 64", "max-overtakes: 3")
                .replace("async-max-wait: 24h", "async-max-wait: 1h")
                .replace("max-queue: 256, queue-timeout: 30s", "max-queue: 0, queue-timeout: 0s")));

        assertThat(strict.queueing())
                .isEqualTo(new QueueingPolicy(
                        Ordering.STRICT,
                        3,
                        Duration.ofHours(1),
                        Duration.ofSeconds(15),
                        new DispatchPolicy(0, Duration.ZERO)));
        assertThat(policies.queueing()).isEqualTo(QueueingPolicy.DEFAULT);
    }

    @Test
    void modelsThatShareAPlatformModelShareItsLimitsWhicheverStatesThem() {
        String shared = Example.FULL.replace("model: sim-small", "model: sim-large");
        Configuration read = Example.good(shared);

        assertThat(read.models().get(1).servedBy().getFirst().concurrency())
                .isEqualTo(read.models().getFirst().servedBy().get(1).concurrency());
        assertThat(LedgerPolicies.of(read).of(SIM_LARGE).limit()).isEqualTo(64_000);
    }

    @Test
    void theDefaultsOfTheFileAreThoseOfTheLedger() {
        Policies least = LedgerPolicies.of(Example.good(Example.LEAST));

        assertThat(least.queueing()).isEqualTo(QueueingPolicy.DEFAULT);
        assertThat(least.of(Scope.userGroup("research")))
                .isEqualTo(scope(0, 0, ScopePolicy.DEFAULT_MAX_WAIT, ScopePolicy.DEFAULT_LEASE_TTL, "research"));
    }

    private static ScopePolicy scope(long limit, int queue, Duration maxWait, Duration leaseTtl, String name) {
        return new ScopePolicy(limit, queue, maxWait, leaseTtl, name, Map.of());
    }
}
