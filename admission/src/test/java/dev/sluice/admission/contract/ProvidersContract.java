package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Eviction;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.ProviderState;
import dev.sluice.admission.Refusal.Reason;
import dev.sluice.admission.WaitReason.Kind;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Rule 3: a provider that must not work gets none, one that comes back gets some at once, slots end with requests. */
abstract class ProvidersContract extends ContractGroup {
    ProvidersContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    private static final ProviderPolicy A = ProviderPolicy.of("a", 2);
    private static final ProviderPolicy B = ProviderPolicy.of("b", 2);

    private static ProviderPolicy disabled(String id) {
        return new ProviderPolicy(id, 2, 0, 0, false);
    }

    private void up(String id, boolean up) {
        await(admission.providerUp(id, up));
    }

    private void operate(String id, ProviderState state) {
        await(admission.operate(id, state));
    }

    private void assertOnlyB() {
        Claim first = routed("chat");
        Claim second = routed("chat");
        assertThat(List.of(first.provider(), second.provider())).containsExactly("b", "b");
        routed("chat").waits();
    }

    @Test
    void aDisabledProviderGetsNoWork() {
        open(route("chat", disabled("a"), B));

        assertOnlyB();
        assertThat(provider("a").enabled()).isFalse();
    }

    @Test
    void aProviderThatAnOperatorDisabledGetsNoWork() {
        open(route("chat", A, B));
        operate("a", ProviderState.DISABLED);

        assertOnlyB();
        assertThat(provider("a").state()).isEqualTo(ProviderState.DISABLED);
    }

    @Test
    void aProviderThatIsDrainedGetsNoNewWorkAndEndsWhatItRuns() {
        open(route("chat", A, B));
        Claim running = routed("chat");
        assertThat(running.provider()).isEqualTo("a");
        operate("a", ProviderState.DRAINING);

        assertOnlyB();
        assertThat(provider("a").inFlight()).isEqualTo(1);
        running.release();
        assertThat(provider("a").inFlight()).isZero();
    }

    @Test
    void aProviderThatIsDownGetsNoWork() {
        open(route("chat", A, B));
        up("a", false);

        assertOnlyB();
        assertThat(provider("a").up()).isFalse();
    }

    @Test
    void aProviderWithoutAPolicyGetsNoWork() {
        open(route("chat", A, B).without("a"));

        assertOnlyB();
    }

    @Test
    void tasksWaitWhileEveryProviderIsDownAndRunOnceOneIsBack() {
        open(route("chat", A, B));
        up("a", false);
        up("b", false);
        Claim waiter = routed("chat").waits(Kind.NO_LIVE_PROVIDER);

        up("b", true);

        assertThat(waiter.provider()).isEqualTo("b");
    }

    @Test
    void aTaskIsRefusedWhenEveryProviderIsDisabledDrainedOrGone() {
        open(route("chat", disabled("a"), B, ProviderPolicy.of("c", 1), ProviderPolicy.of("d", 1))
                .without("d"));
        operate("b", ProviderState.DISABLED);
        operate("c", ProviderState.DRAINING);

        var refusal = routed("chat").refused(Reason.NO_CAPACITY);

        assertThat(refusal.scope().type()).isEqualTo("route");
        assertThat(refusal.scope().key()).isEqualTo("chat");
        assertThat(refusal.retryable()).isTrue();
    }

    @Test
    void aTaskWaitsWhileSomeProviderIsMerelyDown() {
        open(route("chat", disabled("a"), B));
        up("b", false);

        routed("chat").waits(Kind.NO_LIVE_PROVIDER);
    }

    @Test
    void thoseWhoWaitAreEvictedWhenTheLastProviderIsSwitchedOff() {
        open(route("chat", A));
        many(2, () -> routed("chat"));
        Claim waiter = routed("chat").waits();

        operate("a", ProviderState.DISABLED);

        waiter.evicted(Eviction.NO_CAPACITY);
        assertThat(snapshot().queueDepth()).isZero();
        assertThat(provider("a").inFlight()).isEqualTo(2);
    }

    @Test
    void thoseWhoWaitForADownProviderAreEvictedWhenItIsRemoved() {
        open(route("chat", A));
        up("a", false);
        Claim waiter = routed("chat").waits();

        configure(route("chat", A).without("a"));

        waiter.evicted(Eviction.NO_CAPACITY);
    }

    @Test
    void aProviderThatIsEnabledAgainServesThoseWhoWaitAtOnce() {
        open(route("chat", A, B));
        operate("a", ProviderState.DISABLED);
        many(2, () -> routed("chat"));
        Claim waiter = routed("chat").waits();

        operate("a", ProviderState.ENABLED);

        assertThat(waiter.provider()).isEqualTo("a");
    }

    @Test
    void aProviderThatTheConfigurationEnablesServesThoseWhoWaitAtOnce() {
        open(route("chat", disabled("a"), B));
        many(2, () -> routed("chat"));
        Claim waiter = routed("chat").waits();

        configure(route("chat", A, B));

        assertThat(waiter.provider()).isEqualTo("a");
    }

    @Test
    void anOperatorCannotEnableWhatTheConfigurationDisables() {
        open(route("chat", disabled("a"), B));
        operate("a", ProviderState.ENABLED);

        assertOnlyB();
    }

    @Test
    void aProviderThatGoesDownKeepsTheSlotsOfWhatRunsOnIt() {
        open(route("chat", A));
        List<Claim> running = many(2, () -> routed("chat"));

        up("a", false);
        assertThat(provider("a").inFlight()).isEqualTo(2);
        up("a", true);
        Claim waiter = routed("chat").waits();
        running.getFirst().release();

        waiter.isAdmitted();
        assertThat(provider("a").inFlight()).isEqualTo(2);
    }

    @Test
    void aProviderThatFlapsNeverExceedsItsCapacity() {
        open(route("chat", A));
        many(2, () -> routed("chat")).forEach(Claim::isAdmitted);

        for (int i = 0; i < 10; i++) {
            up("a", false);
            routed("chat").waits();
            up("a", true);
            routed("chat").waits();
            assertThat(provider("a").inFlight()).isEqualTo(2);
        }
    }

    @Test
    void whatRunsOnAVanishedProviderIsReturnedCleanly() {
        open(route("chat", A, B));
        Claim onA = routed("chat");
        assertThat(onA.provider()).isEqualTo("a");

        configure(route("chat", A, B).without("a"));
        assertThat(provider("a").inFlight()).isEqualTo(1);
        onA.release();

        assertThat(snapshot().provider("a")).isEmpty();
        assertActive(MODEL, 0);
    }

    @Test
    void aVanishedProviderThatReturnsStillCountsWhatRunsOnIt() {
        open(route("chat", A));
        many(2, () -> routed("chat")).forEach(Claim::isAdmitted);

        configure(route("chat", A, B).without("a"));
        Claim onB = routed("chat").isAdmitted();
        configure(route("chat", A));

        assertThat(onB.provider()).isEqualTo("b");
        routed("chat").waits();
    }

    @Test
    void aProviderThatIsDownStaysDownThroughAReload() {
        open(route("chat", A, B));
        up("a", false);

        configure(route("chat", A, B, ProviderPolicy.of("c", 1)).without("c"));

        assertOnlyB();
    }

    @Test
    void anOperatorsDecisionSurvivesAReload() {
        open(route("chat", A, B));
        operate("a", ProviderState.DRAINING);

        configure(route("chat", A, B));

        assertOnlyB();
        assertThat(provider("a").state()).isEqualTo(ProviderState.DRAINING);
    }

    @Test
    void newsOfAnUnknownProviderChangeNothing() {
        open(route("chat", A));

        up("nobody", false);
        operate("nobody", ProviderState.DISABLED);

        routed("chat").isAdmitted();
    }
}
