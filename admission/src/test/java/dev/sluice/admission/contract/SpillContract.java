package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Amount;
import dev.sluice.admission.Placement;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.Refusal.Reason;
import dev.sluice.admission.RoutePolicy;
import dev.sluice.admission.RoutePolicy.Entry;
import dev.sluice.admission.Routing;
import dev.sluice.admission.ScopePolicy;
import dev.sluice.admission.WaitReason.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Several entries of a route: in order of preference, a later one only after its spill time. */
abstract class SpillContract extends ContractGroup {
    SpillContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    /** Route {@code chat}: {@code home} on {@link #MODEL}, then {@code cloud} on {@link #OTHER_MODEL}. */
    private static Policies spilling(Duration after, int home, int cloud) {
        return Policies.NONE
                .with(ProviderPolicy.of("home", home), ProviderPolicy.of("cloud", cloud))
                .with(new RoutePolicy(
                        "chat",
                        List.of(
                                new Entry(MODEL, List.of("home"), Duration.ZERO),
                                new Entry(OTHER_MODEL, List.of("cloud"), after)),
                        Optional.empty()));
    }

    @Test
    void theFirstEntryWithRoomServes() {
        open(spilling(Duration.ZERO, 2, 5));

        assertThat(many(4, () -> routed("chat")))
                .extracting(Claim::provider)
                .containsExactly("home", "home", "cloud", "cloud");
        assertActive(MODEL, 2);
        assertActive(OTHER_MODEL, 2);
    }

    @Test
    void theFirstEntryIsPreferredAgainOnceItHasRoom() {
        open(spilling(Duration.ZERO, 1, 5));
        Claim home = routed("chat");
        routed("chat").isAdmitted();

        home.release();

        assertThat(routed("chat").admitted().placement()).hasValue(new Placement("home", MODEL, false));
    }

    @Test
    void aFullPlatformModelSpillsThoughItsProviderHasRoom() {
        open(spilling(Duration.ZERO, 5, 5).with(MODEL, queued(1)));
        routed("chat").isAdmitted();

        assertThat(routed("chat").provider()).isEqualTo("cloud");
    }

    @Test
    void aLaterEntryWaitsForItsSpillTime() {
        open(spilling(seconds(5), 1, 5));
        routed("chat").isAdmitted();
        Claim waiter = routed("chat").waits(Kind.CAPACITY_FULL);

        timePasses(seconds(5).minusNanos(1));
        waiter.waits();
        assertThat(provider("cloud").inFlight()).isZero();
        timePasses(Duration.ofNanos(1));

        assertThat(waiter.provider()).isEqualTo("cloud");
        assertThat(waiter.admitted().waited()).isEqualTo(seconds(5));
    }

    @Test
    void aTaskThatIsServedBeforeItsSpillTimeStaysInTheFirstEntry() {
        open(spilling(seconds(5), 1, 5));
        Claim home = routed("chat").isAdmitted();
        Claim waiter = routed("chat").waits();
        timePasses(seconds(4));

        home.release();

        assertThat(waiter.provider()).isEqualTo("home");
        timePasses(seconds(4));
        assertThat(provider("cloud").inFlight()).isZero();
    }

    @Test
    void aTaskThatMaySpillTakesTheFirstEntryThatHasRoom() {
        open(spilling(seconds(5), 1, 1));
        Claim home = routed("chat").isAdmitted();
        Claim spilled = routed("chat").waits();
        timePasses(seconds(5));
        assertThat(spilled.provider()).isEqualTo("cloud");
        Claim waiter = routed("chat").waits();
        timePasses(seconds(6));
        waiter.waits();

        home.release();

        assertThat(waiter.provider()).isEqualTo("home");
    }

    @Test
    void aNewcomerTakesNoEntryThatAnEarlierTaskMayTake() {
        open(spilling(Duration.ZERO, 1, 1));
        routed("chat").isAdmitted();
        Claim cloud = routed("chat").isAdmitted();
        Claim waiter = routed("chat").waits();

        cloud.release();
        Claim newcomer = routed("chat").waits();

        assertThat(waiter.provider()).isEqualTo("cloud");
        newcomer.isPending();
    }

    @Test
    void anEntryWithoutALiveCandidateIsSkipped() {
        open(spilling(Duration.ZERO, 5, 5));
        await(admission.providerUp("home", false));

        assertThat(routed("chat").provider()).isEqualTo("cloud");
    }

    @Test
    void anEntryWithoutAConfiguredCandidateIsSkipped() {
        open(spilling(Duration.ZERO, 5, 5).without("home"));

        assertThat(routed("chat").provider()).isEqualTo("cloud");
    }

    @Test
    void aTaskWaitsInTheFirstEntryWhoseQueueAccepts() {
        open(spilling(Duration.ZERO, 9, 9)
                .with(MODEL, ScopePolicy.limit(1).queue(1))
                .with(OTHER_MODEL, ScopePolicy.limit(1).queue(2)));
        many(2, () -> routed("chat")).forEach(Claim::isAdmitted);

        routed("chat").waits();
        assertThat(waiting(MODEL)).isEqualTo(1);
        assertThat(waiting(OTHER_MODEL)).isZero();
        routed("chat").waits();
        routed("chat").waits();
        assertThat(waiting(MODEL)).isEqualTo(1);
        assertThat(waiting(OTHER_MODEL)).isEqualTo(2);

        routed("chat").refused(Reason.QUEUE_FULL);
    }

    @Test
    void whereverItIsBoundAWaiterTakesWhateverEntryGetsRoom() {
        open(spilling(Duration.ZERO, 9, 9).with(MODEL, queued(1)).with(OTHER_MODEL, queued(1)));
        routed("chat").isAdmitted();
        Claim cloud = routed("chat").isAdmitted();
        Claim waiter = routed("chat").waits();
        assertThat(waiting(MODEL)).isEqualTo(1);

        cloud.release();

        assertThat(waiter.provider()).isEqualTo("cloud");
        assertThat(waiting(MODEL)).isZero();
        assertActive(OTHER_MODEL, 1);
    }

    @Test
    void aShortenedSpillTimeServesThoseWhoWaitedSoLong() {
        open(spilling(seconds(60), 1, 5));
        routed("chat").isAdmitted();
        Claim waiter = routed("chat").waits();
        timePasses(seconds(10));

        configure(spilling(seconds(8), 1, 5));

        assertThat(waiter.provider()).isEqualTo("cloud");
    }

    @Test
    void anAmountThatFitsALaterEntryOnlyIsServedThere() {
        open(spilling(Duration.ZERO, 9, 9).with(MODEL, queued(2)).with(OTHER_MODEL, queued(8)));

        Claim large = submit(ask(new Routing("chat", Amount.units(5), false)));

        assertThat(large.provider()).isEqualTo("cloud");
        assertActive(OTHER_MODEL, 5);
    }
}
