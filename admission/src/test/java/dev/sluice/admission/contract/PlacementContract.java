package dev.sluice.admission.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.admission.Admitted;
import dev.sluice.admission.Amount;
import dev.sluice.admission.Eviction;
import dev.sluice.admission.Lease;
import dev.sluice.admission.Placement;
import dev.sluice.admission.Policies;
import dev.sluice.admission.ProviderPolicy;
import dev.sluice.admission.Refusal.Reason;
import dev.sluice.admission.RoutePolicy;
import dev.sluice.admission.Routing;
import dev.sluice.admission.Scope;
import dev.sluice.admission.WaitReason.Kind;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Rule 3: least in-flight, then the lower priority number, then the next id after the last one chosen. */
abstract class PlacementContract extends ContractGroup {
    PlacementContract(Supplier<AdmissionFixture> fixtures) {
        super(fixtures);
    }

    private static ProviderPolicy preferred(String id, int capacity, int priority) {
        return new ProviderPolicy(id, capacity, 0, priority, true);
    }

    @Test
    void anAdmittedTaskHoldsAProviderSlotAndItsPlatformModel() {
        open(route("chat", ProviderPolicy.of("gpu", 2)));

        Admitted admitted = routed("chat", GROUP).admitted();

        assertThat(admitted.placement()).hasValue(new Placement("gpu", MODEL, false));
        assertThat(admitted.leases())
                .containsExactly(
                        new Lease(MODEL, Amount.ONE),
                        new Lease(Scope.provider("gpu"), Amount.ONE),
                        new Lease(GROUP, Amount.ONE));
        assertActive(MODEL, 1);
        assertThat(provider("gpu").inFlight()).isEqualTo(1);
    }

    @Test
    void theAmountOfARoutingCountsInItsPlatformModelAndASlotIsAlwaysOne() {
        open(route("chat", ProviderPolicy.of("gpu", 2)).with(MODEL, queued(5)));

        submit(ask(new Routing("chat", Amount.units(4), false))).isAdmitted();

        assertActive(MODEL, 4);
        assertThat(provider("gpu").inFlight()).isEqualTo(1);
        submit(ask(new Routing("chat", Amount.units(2), false))).waits(Kind.SCOPE);
        submit(ask(new Routing("chat", Amount.units(6), false))).refused(Reason.AMOUNT_UNSATISFIABLE);
    }

    @Test
    void theLeastLoadedProviderIsChosen() {
        open(route("chat", preferred("a", 5, 0), preferred("b", 5, 9)));

        assertThat(many(6, () -> routed("chat")))
                .extracting(Claim::provider)
                .containsExactly("a", "b", "a", "b", "a", "b");
    }

    @Test
    void amongEquallyLoadedProvidersTheLowerPriorityNumberIsChosen() {
        open(route("chat", preferred("a", 5, 7), preferred("b", 5, 3), preferred("c", 5, 5)));

        for (int i = 0; i < 3; i++) {
            Claim claim = routed("chat");
            assertThat(claim.provider()).isEqualTo("b");
            claim.release();
        }
    }

    @Test
    void amongEqualProvidersTheChoiceRotatesOverAll() {
        open(route("chat", ProviderPolicy.of("b", 5), ProviderPolicy.of("c", 5), ProviderPolicy.of("a", 5)));

        for (String expected : List.of("a", "b", "c", "a", "b", "c", "a")) {
            Claim claim = routed("chat");
            assertThat(claim.provider()).isEqualTo(expected);
            claim.release();
        }
    }

    @Test
    void theRotationGoesOnAfterTheLastChoiceAlthoughThatOneIsBusy() {
        open(route("chat", ProviderPolicy.of("a", 1), ProviderPolicy.of("b", 1), ProviderPolicy.of("c", 1)));
        routed("chat").isAdmitted();
        Claim second = routed("chat");
        assertThat(second.provider()).isEqualTo("b");
        Claim third = routed("chat");
        assertThat(third.provider()).isEqualTo("c");
        second.release();
        third.release();

        assertThat(routed("chat").provider()).isEqualTo("b");
        assertThat(routed("chat").provider()).isEqualTo("c");
    }

    @Test
    void everyRouteHasARotationOfItsOwn() {
        Policies policies = route("chat", ProviderPolicy.of("a", 5), ProviderPolicy.of("b", 5));
        open(policies.with(RoutePolicy.of("code", OTHER_MODEL, List.of("a", "b"))));

        Claim chat = routed("chat");
        chat.release();
        Claim code = routed("code");
        code.release();

        assertThat(chat.provider()).isEqualTo("a");
        assertThat(code.provider()).isEqualTo("a");
        assertThat(routed("chat").provider()).isEqualTo("b");
    }

    @Test
    void aTaskThatGaveUpDoesNotMoveTheRotation() {
        open(route("chat", ProviderPolicy.of("a", 1), ProviderPolicy.of("b", 1), ProviderPolicy.of("c", 1)));
        List<Claim> running = many(3, () -> routed("chat"));
        Claim gone = routed("chat").waits();
        await(admission.cancel(gone.task(), Eviction.CANCELLED));
        running.forEach(Claim::release);

        assertThat(routed("chat").provider()).isEqualTo("a");
    }

    @Test
    void aWaiterIsPlacedWhereASlotIsFreed() {
        open(route("chat", ProviderPolicy.of("a", 1), ProviderPolicy.of("b", 1)));
        routed("chat").isAdmitted();
        Claim second = routed("chat").isAdmitted();
        Claim waiter = routed("chat").waits(Kind.CAPACITY_FULL);

        second.release();

        assertThat(waiter.provider()).isEqualTo("b");
    }

    @Test
    void aCapacityIsNeverExceeded() {
        open(route("chat", ProviderPolicy.of("a", 2), ProviderPolicy.of("b", 3)));

        many(5, () -> routed("chat")).forEach(Claim::isAdmitted);
        routed("chat").waits(Kind.CAPACITY_FULL);

        assertThat(provider("a").inFlight()).isEqualTo(2);
        assertThat(provider("b").inFlight()).isEqualTo(3);
        assertThat(provider("a").waiting()).isEqualTo(1);
    }

    @Test
    void aProviderOfSeveralRoutesHasOneCapacity() {
        open(route("chat", ProviderPolicy.of("gpu", 2)).with(RoutePolicy.of("code", OTHER_MODEL, List.of("gpu"))));
        routed("chat").isAdmitted();
        Claim code = routed("code").isAdmitted();

        Claim waiter = routed("chat").waits();
        code.release();

        waiter.isAdmitted();
    }

    @Test
    void aTaskWaitsForItsScopesAndItsProviderTogetherAndHoldsNeither() {
        open(route("chat", ProviderPolicy.of("gpu", 1)).with(GROUP, queued(1)));
        Claim slot = routed("chat").isAdmitted();
        Claim group = sync(GROUP).isAdmitted();
        Claim waiter = routed("chat", GROUP).waits();

        slot.release();
        waiter.waits(Kind.SCOPE);
        assertThat(provider("gpu").inFlight()).isZero();
        Claim quick = routed("chat").isAdmitted();
        group.release();
        waiter.waits(Kind.CAPACITY_FULL);
        assertActive(GROUP, 0);
        quick.release();

        waiter.isAdmitted();
    }

    @Test
    void aRaisedCapacityServesThoseWhoWait() {
        open(route("chat", ProviderPolicy.of("gpu", 1)));
        routed("chat").isAdmitted();
        Claim waiter = routed("chat").waits();

        configure(route("chat", ProviderPolicy.of("gpu", 2)));

        waiter.isAdmitted();
    }

    @Test
    void aLoweredCapacityAdmitsNobodyUntilItIsDrained() {
        open(route("chat", ProviderPolicy.of("gpu", 3)));
        List<Claim> running = many(3, () -> routed("chat"));
        Claim waiter = routed("chat").waits();

        configure(route("chat", ProviderPolicy.of("gpu", 1)));
        running.get(0).release();
        running.get(1).release();
        waiter.waits();
        running.get(2).release();

        waiter.isAdmitted();
    }

    @Test
    void aQueuedTaskSeesTheNewPriorities() {
        open(route("chat", preferred("a", 1, 0), preferred("b", 1, 5)));
        many(2, () -> routed("chat")).forEach(Claim::isAdmitted);
        Claim waiter = routed("chat").waits();

        configure(route("chat", preferred("a", 2, 5), preferred("b", 2, 0)));

        assertThat(waiter.provider()).isEqualTo("b");
    }

    @Test
    void aQueuedTaskSeesNewCandidatesOfItsRoute() {
        open(route("chat", ProviderPolicy.of("a", 1)));
        routed("chat").isAdmitted();
        Claim waiter = routed("chat").waits();

        configure(route("chat", ProviderPolicy.of("a", 1), ProviderPolicy.of("b", 1)));

        assertThat(waiter.provider()).isEqualTo("b");
    }

    @Test
    void anUnknownRouteIsRefused() {
        open(route("chat", ProviderPolicy.of("gpu", 1)));

        assertThat(routed("speech").refused(Reason.UNKNOWN_ROUTE).retryable()).isFalse();
    }

    @Test
    void aTaskNeverRunsOnAProviderItAvoids() {
        open(route("chat", ProviderPolicy.of("a", 1), ProviderPolicy.of("b", 1)));
        Claim onB = submit(ask(Routing.to("chat").avoiding(Set.of("a")))).isAdmitted();
        assertThat(onB.provider()).isEqualTo("b");

        Claim waiter = submit(ask(Routing.to("chat").avoiding(Set.of("a")))).waits(Kind.CAPACITY_FULL);
        assertThat(routed("chat").provider()).isEqualTo("a");
        onB.release();

        assertThat(waiter.provider()).isEqualTo("b");
    }

    @Test
    void aTaskThatAvoidsEveryProviderIsRefused() {
        open(route("chat", ProviderPolicy.of("a", 1)));

        submit(ask(Routing.to("chat").avoiding(Set.of("a")))).refused(Reason.NO_CAPACITY);
    }

    @Test
    void aBlockedTaskOfOneProviderDoesNotHoldUpThoseOfAnother() {
        open(route("chat", ProviderPolicy.of("gpu", 1))
                .with(ProviderPolicy.of("cpu", 1))
                .with(RoutePolicy.of("small", OTHER_MODEL, List.of("cpu"))));
        routed("chat", GROUP).isAdmitted();
        routed("chat", GROUP).waits();

        routed("small", GROUP).isAdmitted();
    }
}
